"""Which connections a set of NetworkPolicies lets through, worked out pod by pod."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.support.manifests import Manifest, pods

Flow = tuple[str, str, int]
"""From whom, to whom, to which port."""


@dataclass(frozen=True)
class Pod:
    """A pod of ours, or in another namespace, with the ports that it listens on."""

    name: str
    namespace: str = "riverboat"
    labels: dict[str, str] = field(default_factory=dict)
    ports: frozenset[int] = frozenset()


def pods_of(manifests: list[Manifest]) -> list[Pod]:
    return [
        Pod(
            name,
            labels=template["metadata"]["labels"],
            ports=frozenset(
                port["containerPort"]
                for container in template["spec"]["containers"]
                for port in container.get("ports", [])
            ),
        )
        for name, template in pods(manifests)
    ]


def policies_of(manifests: list[Manifest]) -> list[Manifest]:
    return [item["spec"] for item in manifests if item["kind"] == "NetworkPolicy"]


def flows(everyone: Iterable[Pod], policies: list[Manifest]) -> Iterator[Flow]:
    """All connections that both ends allow; pods of other namespaces allow all."""
    everyone = list(everyone)
    for source in everyone:
        for target in everyone:
            for port in target.ports:
                if "riverboat" not in {source.namespace, target.namespace}:
                    continue
                leaves = _allowed(policies, "egress", source, target, port)
                if leaves and _allowed(policies, "ingress", target, source, port):
                    yield source.name, target.name, port


def _allowed(policies: list[Manifest], way: str, pod: Pod, peer: Pod, port: int) -> bool:
    """One end's view: no policy of this way selects it, or one of them has a rule that fits."""
    selecting = [
        policy
        for policy in policies
        if pod.namespace == "riverboat"
        and way.capitalize() in policy["policyTypes"]
        and selects(policy["podSelector"], pod.labels)
    ]
    return not selecting or any(
        _fits(rule, "from" if way == "ingress" else "to", peer, port)
        for policy in selecting
        for rule in policy.get(way, [])
    )


def _fits(rule: dict[str, Any], word: str, peer: Pod, port: int) -> bool:
    ports = {entry["port"] for entry in rule.get("ports", [])}
    return (not ports or port in ports) and (
        word not in rule or any(_is_peer(entry, peer) for entry in rule[word])
    )


def _is_peer(entry: dict[str, Any], peer: Pod) -> bool:
    space = {"kubernetes.io/metadata.name": peer.namespace}
    if "namespaceSelector" in entry:
        right_space = selects(entry["namespaceSelector"], space)
    else:
        right_space = peer.namespace == "riverboat"
    return right_space and selects(entry.get("podSelector", {}), peer.labels)


def selects(selector: dict[str, Any], labels: dict[str, str]) -> bool:
    """Whether a label selector picks these labels; an empty one picks everything.

    Raises:
        KeyError: for an operator that Kubernetes does not know.

    """
    wanted: dict[str, str] = selector.get("matchLabels", {})
    return wanted.items() <= labels.items() and all(
        _holds(item["key"], item["operator"], item.get("values", []), labels)
        for item in selector.get("matchExpressions", [])
    )


def _holds(key: str, operator: str, values: list[str], labels: dict[str, str]) -> bool:
    return {
        "In": labels.get(key) in values,
        "NotIn": labels.get(key) not in values,
        "Exists": key in labels,
        "DoesNotExist": key not in labels,
    }[operator]
