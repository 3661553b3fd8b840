#!/bin/sh
# Makes the namespace TEMPORAL_NAMESPACE on TEMPORAL_ADDRESS (both read by the CLI), with how long closed runs are kept
# and the search attribute for runs that wait for a person, which no run sets yet. Safe to run again.
set -eu

retention=30d
attempts_max=30

# A server whose port is open may still be starting, and a new namespace is known everywhere after some seconds only.
retry() {
  attempt=1
  until "$@"; do
    if [ "$attempt" -ge "$attempts_max" ]; then
      echo "gave up after $attempts_max attempts: $*" >&2
      return 1
    fi
    attempt=$((attempt + 1))
    sleep 2
  done
}

has_namespace() {
  temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1
}

has_attribute() {
  temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE" | grep -qw TurnloopWaiting
}

make_attribute() {
  has_attribute || temporal operator search-attribute create \
    --namespace "$TEMPORAL_NAMESPACE" --name TurnloopWaiting --type Keyword
}

retry temporal operator cluster health
if has_namespace; then
  temporal operator namespace update --namespace "$TEMPORAL_NAMESPACE" --retention "$retention"
else
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$retention"
fi
retry make_attribute
echo "namespace $TEMPORAL_NAMESPACE: closed runs are kept for $retention, TurnloopWaiting is there"
