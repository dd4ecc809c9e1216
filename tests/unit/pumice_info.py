# SPDX-License-Identifier: Apache-2.0
# What pumice-info --json prints: the keys that pumice-info(1) describes, each once, with values of the right types, and nothing
# that --all lists is missing. Usage: pumice_info.py JSON LIST PAGE
import json
import re
import sys

failed = False


def fail(what):
    global failed
    failed = True
    print(what)


def once(pairs):
    keys = [key for key, _ in pairs]
    for key in set(keys):
        if keys.count(key) > 1:
            fail(f"key '{key}' twice in one object")
    return dict(pairs)


TEXT, COUNT, BOOL, LIST, OBJECT, OPTIONAL = (str,), (int,), (bool,), (list,), (dict,), (str, type(None))
HEAD = {'name': TEXT, 'type': TEXT, 'vendor_id': COUNT, 'device_id': COUNT, 'vulkan': TEXT, 'driver': OBJECT, 'needed': OBJECT}
TOP = {'version': TEXT, 'devices': LIST, 'unusable': LIST, 'notes': LIST}
DEVICE = HEAD | {'number': COUNT, 'opencl': OBJECT, 'missing': OBJECT, 'features': OBJECT, 'limits': OBJECT, 'buffers_mapped': BOOL,
                 'memory_types': LIST, 'queue_family': OBJECT, 'numbers': OBJECT, 'shared_virtual_memory': LIST, 'extensions': OBJECT}
OPENCL = {'version': TEXT, 'lacks_for_3_1': OPTIONAL, 'driver_version': TEXT, 'profile': TEXT, 'profile_reason': OPTIONAL, 'images': BOOL,
          'images_reason': OPTIONAL, 'address_bits': COUNT, 'global_memory': COUNT, 'max_allocation': COUNT, 'buffer_access': TEXT,
          'max_buffers': COUNT, 'max_buffer_range': COUNT, 'spirv': TEXT, 'work_group_size': COUNT, 'sub_group_size': COUNT}
MEMORY = {'heap': COUNT, 'heap_bytes': COUNT, 'flags': LIST, 'used_for': LIST}
QUEUE = {'index': COUNT, 'queues': COUNT, 'timestamp_bits': COUNT, 'timestamp_ns': (int, float)}


def check(where, value, schema):
    if set(value) != set(schema):
        fail(f'{where}: keys differ: {sorted(set(value) ^ set(schema))}')
    for key, types in schema.items():
        if key in value and (not isinstance(value[key], types) or (types == COUNT and isinstance(value[key], bool))):
            fail(f'{where}.{key}: {value[key]!r}')


with open(sys.argv[1]) as f:
    top = json.load(f, object_pairs_hook=once)
with open(sys.argv[2]) as f:
    listed = f.read()
with open(sys.argv[3]) as f:
    described = set(re.findall(r'^\.It Cm (\w+)', f.read(), re.M))
check('top', top, TOP)
for device in top['devices']:
    check('device', device, DEVICE)
    check('opencl', device['opencl'], OPENCL)
    check('queue_family', device['queue_family'], QUEUE)
    for memory in device['memory_types']:
        check('memory_types', memory, MEMORY)
    for name in [*device['limits'], *device['extensions'], *device['numbers'], *device['needed'], *device['missing']]:
        if name not in listed:
            fail(f'{name} is not in the list')
    for name, extension in device['extensions'].items():
        if f"{'yes' if extension['supported'] else 'no '} {name}" not in listed:
            fail(f'{name}: supported {extension["supported"]}, the list says otherwise')
    for name in re.findall(r'^    (?:yes|no ) (cl_\w+|__opencl_\w+)', listed, re.M):
        if name not in device['extensions']:
            fail(f'{name} is not in JSON')
for key in described ^ (set(TOP) | set(DEVICE) | set(OPENCL) | {'reason'}):
    fail(f'pumice-info(1) and JSON differ: {key}')
sys.exit(failed)
