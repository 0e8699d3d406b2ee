#!/usr/bin/env bash
# Finds what the tests and the demo need, installs what it can into bin/, and
# says in one line each what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p bin

# OpenTofu has replace directives, so "go install" refuses it: it is built as a main module.
build_tofu() {
	local dir out=$PWD/bin/tofu
	dir=$(go mod download -json github.com/opentofu/opentofu@v1.11.4 | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
	[ -n "$dir" ] && (cd "$dir" && go build -o "$out" ./cmd/tofu)
}

missing=()

if ! command -v terraform >/dev/null && ! command -v tofu >/dev/null && [ ! -x bin/tofu ]; then
	echo "setup: neither terraform nor tofu is installed; building OpenTofu (some minutes, once)"
	build_tofu || missing+=("Terraform 1.9 or newer: https://developer.hashicorp.com/terraform/install")
fi

# An endpoint of one's own needs no moto.
if [ -z "${AWS_ENDPOINT_URL:-}" ] && ! command -v moto_server >/dev/null; then
	echo "setup: installing moto, which the local cloud stands on"
	python3 -m pip install --quiet 'moto[server]==5.2.1' ||
		missing+=("moto: python3 -m pip install 'moto[server]==5.2.1'")
fi

if [ ${#missing[@]} -gt 0 ]; then
	printf 'setup: missing: %s\n' "${missing[@]}" >&2
	exit 1
fi
