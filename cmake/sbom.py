# SPDX-License-Identifier: Apache-2.0
# Prints the list of a release's files and build tools, as SPDX 2.3.
# Usage: sbom.py NAME VERSION ARCHITECTURE FOLDER-OF-THE-RELEASE
import datetime
import hashlib
import json
import os
import subprocess
import sys

# Debian's package, its licence, and what it is to the release.
USED = [
    ('gcc', 'GPL-3.0-or-later WITH GCC-exception-3.1', 'BUILD_TOOL_OF'),
    ('binutils', 'GPL-3.0-or-later', 'BUILD_TOOL_OF'),
    ('cmake', 'BSD-3-Clause', 'BUILD_TOOL_OF'),
    ('ninja-build', 'Apache-2.0', 'BUILD_TOOL_OF'),
    ('musl-tools', 'MIT', 'BUILD_TOOL_OF'),
    ('libvulkan-dev', 'Apache-2.0 OR MIT', 'BUILD_DEPENDENCY_OF'),
    ('opencl-c-headers', 'Apache-2.0', 'BUILD_DEPENDENCY_OF'),
    ('spirv-headers', 'MIT', 'BUILD_DEPENDENCY_OF'),
    ('libc6-dev', 'LGPL-2.1-or-later', 'BUILD_DEPENDENCY_OF'),
]
COMMENTS = {'libc6-dev': 'of the Debian packages; the portable archive for glibc is built with version 2.31 of Debian 11'}


def installed_version(package):
    found = subprocess.run(['dpkg-query', '-W', '-f', '${Version}', package], capture_output=True, text=True, check=False)
    return found.stdout or 'NOASSERTION'


def digest(path, kind):
    with open(path, 'rb') as f:
        return hashlib.new(kind, f.read()).hexdigest()


def main():
    name, version, architecture, folder = sys.argv[1:]
    when = datetime.datetime.fromtimestamp(int(os.environ['SOURCE_DATE_EPOCH']), datetime.timezone.utc)
    files = [f for f in sorted(os.listdir(folder)) if f.startswith('pumice') and not f.endswith('.spdx.json')]
    source = f'SPDXRef-File-{files.index(name + ".tar.zst")}'
    digests = sorted(digest(os.path.join(folder, f), 'sha1') for f in files)
    packages = [{'SPDXID': 'SPDXRef-Pumice', 'name': 'pumice', 'versionInfo': version, 'downloadLocation': 'NOASSERTION',
                 'filesAnalyzed': True, 'packageVerificationCode': {
                     'packageVerificationCodeValue': hashlib.sha1(''.join(digests).encode()).hexdigest()},
                 'licenseConcluded': 'Apache-2.0', 'licenseDeclared': 'Apache-2.0', 'licenseInfoFromFiles': ['Apache-2.0'],
                 'copyrightText': '2026, the Pumice developers', 'primaryPackagePurpose': 'LIBRARY'}]
    relations = [{'spdxElementId': 'SPDXRef-DOCUMENT', 'relationshipType': 'DESCRIBES', 'relatedSpdxElement': 'SPDXRef-Pumice'}]
    for package, licence, kind in USED:
        packages.append({'SPDXID': f'SPDXRef-{package}', 'name': package, 'versionInfo': installed_version(package),
                         'downloadLocation': 'NOASSERTION', 'filesAnalyzed': False, 'licenseConcluded': licence,
                         'licenseDeclared': licence, 'copyrightText': 'NOASSERTION',
                         **({'comment': COMMENTS[package]} if package in COMMENTS else {})})
        relations.append({'spdxElementId': f'SPDXRef-{package}', 'relationshipType': kind, 'relatedSpdxElement': 'SPDXRef-Pumice'})
    rows = []
    for i, file in enumerate(files):
        path = os.path.join(folder, file)
        rows.append({'SPDXID': f'SPDXRef-File-{i}', 'fileName': './' + file,
                     'checksums': [{'algorithm': k, 'checksumValue': digest(path, k.lower())} for k in ('SHA1', 'SHA256')],
                     'licenseConcluded': 'Apache-2.0', 'licenseInfoInFiles': ['Apache-2.0'],
                     'copyrightText': '2026, the Pumice developers'})
        element = f'SPDXRef-File-{i}'
        relations.append({'spdxElementId': 'SPDXRef-Pumice', 'relationshipType': 'CONTAINS', 'relatedSpdxElement': element})
        if element != source:
            relations.append({'spdxElementId': element, 'relationshipType': 'GENERATED_FROM', 'relatedSpdxElement': source})
    document = {'spdxVersion': 'SPDX-2.3', 'dataLicense': 'CC0-1.0', 'SPDXID': 'SPDXRef-DOCUMENT', 'name': f'{name}-{architecture}',
                'documentNamespace': 'https://spdx.org/spdxdocs/' + name + '-' +
                hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:32],
                'creationInfo': {'created': when.strftime('%Y-%m-%dT%H:%M:%SZ'), 'creators': ['Organization: Pumice developers']},
                'packages': packages, 'files': rows, 'relationships': relations}
    json.dump(document, sys.stdout, indent=2)
    print()


main()
