"""Which proxy the environment names for a host.

Rules of this file:

* Loopback hosts never go through a proxy: a demo or a server under test is on this machine, and the
  proxy's loopback is another one.
* `NO_PROXY` and the system's own exceptions are followed as the standard library reads them.
"""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    """True for `localhost`, names below it and loopback addresses."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def proxy_for(scheme: str, host: str) -> str | None:
    """The URL of the proxy for `scheme://host`, None for the direct way. May block (system settings)."""
    if is_loopback(host):
        return None
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    if not proxy or proxy_bypass(host):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"
