@echo off
rem SPDX-License-Identifier: Apache-2.0
rem Undoes register.cmd. Run it as administrator, from the same folder.
reg delete HKLM\SOFTWARE\Khronos\OpenCL\Vendors /v "%~dp0pumice.dll" /f
