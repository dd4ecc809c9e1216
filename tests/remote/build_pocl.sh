#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# PoCL's server and client library for run.sh, from a checkout of its public source (main of November 2026):
#
#   build_pocl.sh SOURCE PREFIX
#
# First fixes three faults; the first two occur with any driver below the server:
#  - pocld: a client dies before it has received all replies. The thread that writes them waits for the client to reconnect,
#    the thread that reads the requests of all clients waits for that thread to end, and no client gets further replies.
#  - libpocl: a reply is marked as received before its reader has finished using the command. The command is on the stack of the
#    caller, which returns: about one client in ten ends with SIGSEGV, or spins forever.
#  - pocld: array and 3D images are created with pitches but no host memory, which drivers refuse (CL_INVALID_IMAGE_DESCRIPTOR).
set -eu
source=$1 prefix=$2
mend() { # file, what must be there afterwards, script
    grep -qF "$2" "$source/$1" || sed -i "$3" "$source/$1"
    grep -qF "$2" "$source/$1" || echo "$1 has changed: look whether it still has the fault" >&2
}
mend pocld/reply_th.cc 'ConnectionNotifier.wait_for' \
    's/ConnectionNotifier\.wait(ConnectionLock)/ConnectionNotifier.wait_for(ConnectionLock, std::chrono::milliseconds(100))/'
mend lib/CL/devices/remote/communication.c 'if (!running_cmd->synchronous) running_cmd->status' \
    's/^  running_cmd->status = status;$/  if (!running_cmd->synchronous) running_cmd->status = status;/
     s/^      POCL_SIGNAL_COND (running_cmd->data\.sync\.cond);$/      running_cmd->status = status;\n&/'
mend pocld/shared_cl_context.cc 'row_pitch = slice_pitch = 0;' \
    's/^  cl::ImageFormat img_format(channel_order, channel_data_type);$/&\n  row_pitch = slice_pitch = 0;/'
cmake -S "$source" -B "$source/build-remote" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_INSTALL_PREFIX="$prefix" -DENABLE_LLVM=0 \
    -DENABLE_HOST_CPU_DEVICES=0 -DENABLE_REMOTE_CLIENT=1 -DENABLE_REMOTE_SERVER=1 -DENABLE_LOADABLE_DRIVERS=0 -DENABLE_ICD=1 \
    -DENABLE_TESTS=0 -DENABLE_EXAMPLES=0
cmake --build "$source/build-remote"
cmake --install "$source/build-remote"
