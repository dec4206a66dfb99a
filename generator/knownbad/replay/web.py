"""A tool over HTTP: the arguments as a JSON body, the envelope as the body of the response."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..codes.replay import DIED, TIME_OUT, UNREACHABLE
from ..errors import BadInput, Problem
from .answer import Answer, Carrier, Trouble, too_large

if TYPE_CHECKING:
    import httpx
    from anyio.from_thread import BlockingPortal


@dataclass(frozen=True, slots=True)
class Http:
    """An address. `body` is what is sent: the `args` of a request or the whole `request`."""

    url: str
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = "args"
    timeout: float = 10.0
    largest: int = 1_000_000

    @contextmanager
    def open(self) -> Iterator[Connected]:
        """A client with its connections. Raises BadInput where httpx is not installed."""
        try:
            import httpx
            from anyio.from_thread import start_blocking_portal
        except ImportError:
            raise BadInput(Problem("httpx is not installed", fix="pip install 'knownbad[http]'")) from None
        with start_blocking_portal() as portal:
            client = httpx.AsyncClient(timeout=self.timeout, headers=dict(self.headers))
            with portal.wrap_async_context_manager(client):
                yield Connected(self, portal, client)


@dataclass(frozen=True, slots=True)
class Connected:
    """An open client."""

    at: Http
    portal: BlockingPortal
    client: httpx.AsyncClient

    def call(self, request: Mapping[str, Any]) -> Answer:
        """One request; the time-out holds for all of it."""
        answer: Answer = self.portal.call(self._call, request)
        return answer

    async def _call(self, request: Mapping[str, Any]) -> Answer:
        import anyio
        import httpx

        told: dict[str, Any] = {}
        data = bytearray()
        troubles: tuple[Trouble, ...] = ()
        try:
            with anyio.fail_after(self.at.timeout):
                await self._read(request, told, data)
        except (TimeoutError, httpx.TimeoutException):
            troubles = (Trouble(TIME_OUT, f"no answer within {self.at.timeout:g} s"),)
        except (httpx.ConnectError, httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.ProxyError) as error:
            troubles = (Trouble(UNREACHABLE, f"{self.at.url} cannot be reached: {error}"),)
        except (httpx.HTTPError, httpx.StreamError) as error:
            troubles = (Trouble(DIED, f"the reply was cut off: {str(error) or type(error).__name__}"),)
        if len(data) > self.at.largest:
            del data[self.at.largest :]
            troubles = (too_large(self.at.largest),)
        return Answer(Carrier.HTTP, data=bytes(data), troubles=troubles, **told)

    async def _read(self, request: Mapping[str, Any], told: dict[str, Any], data: bytearray) -> None:
        body = request.get("args", {}) if self.at.body == "args" else request
        sent: dict[str, Any] = {"params": body} if self.at.method.upper() in ("GET", "HEAD") else {"json": body}
        async with self.client.stream(self.at.method, self.at.url, **sent) as response:
            told["status"] = response.status_code
            told["content_type"] = response.headers.get("content-type", "")
            async for chunk in response.aiter_bytes():
                data.extend(chunk)
                if len(data) > self.at.largest:
                    return
