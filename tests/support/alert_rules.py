"""The alerts as the Prometheus operator wants them: ``python -m tests.support.alert_rules``.

Prometheus itself reads k8s/observability/alerts.yaml. Run this after a change of it.
"""

from pathlib import Path
from typing import Final

K8S: Final = Path(__file__).parents[2] / "k8s"
RULES: Final = K8S / "observability/alerts.yaml"
RESOURCE: Final = K8S / "overlays/cloud/alerts.yaml"
_HEAD: Final = """\
# Written by `python -m tests.support.alert_rules` from k8s/observability/alerts.yaml.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: riverboat
  labels: {app.kubernetes.io/part-of: riverboat}
spec:
"""


def resource(rules: str) -> str:
    """The same rules as a PrometheusRule; comments and layout stay."""
    lines = rules.splitlines(keepends=True)
    return _HEAD + "".join(f"  {line}" if line.strip() else line for line in lines)


if __name__ == "__main__":
    RESOURCE.write_text(resource(RULES.read_text()))
