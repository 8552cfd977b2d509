# For tools/ci_*.sh: installs packages where that is possible (Debian or Ubuntu, as root), and else says what to do.
#
#   install_missing WHAT THERE [PACKAGE...]   # WHAT cannot be checked without them; THERE: what is said if none is missing
install_missing() {
  local what="$1" there="$2"
  shift 2
  if [ $# -eq 0 ]; then
    echo "$there are there"
  elif [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    echo "installed: $*"
  else
    echo "$what cannot be checked without: $* (on Debian: apt-get install $*)" >&2
    exit 1
  fi
}
