@echo off
rem SPDX-License-Identifier: Apache-2.0
rem Tells the OpenCL loader of this computer where pumice.dll is. Run it as administrator.
reg add HKLM\SOFTWARE\Khronos\OpenCL\Vendors /v "%~dp0pumice.dll" /t REG_DWORD /d 0 /f
