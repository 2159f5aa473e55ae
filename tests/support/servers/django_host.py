"""A Django project with one URL pattern that hands a part of its paths to another WSGI application.

The way to do it is `view`: the part of the path before the match becomes the mount point, the rest
the path, and the answer is copied.  Django has not read the body before the view is called; CSRF
protection is for forms with cookies and is switched off for the view.
"""

import importlib
from collections.abc import Callable, Iterable
from typing import Any

# Django has no types; its modules are values here.
conf: Any = importlib.import_module("django.conf")
core: Any = importlib.import_module("django.core.wsgi")
http: Any = importlib.import_module("django.http")
urls: Any = importlib.import_module("django.urls")
csrf: Any = importlib.import_module("django.views.decorators.csrf")

WSGIApp = Callable[..., Iterable[bytes]]


def view(app: WSGIApp) -> Callable[..., object]:
    """Make a view, for a pattern whose group `path` is the rest of the path, of an application."""

    def hand_over(request: Any, path: str) -> object:
        started: list[tuple[str, list[tuple[str, str]]]] = []
        environ = request.environ
        mounted = environ["PATH_INFO"].removesuffix(f"/{path}")
        below = {"SCRIPT_NAME": environ["SCRIPT_NAME"] + mounted, "PATH_INFO": f"/{path}"}
        body = b"".join(app(environ | below, lambda *start: started.append(start)))
        ((status, headers),) = started
        answer = http.HttpResponse(body, status=int(status[:3]), headers=dict(headers))
        if "Content-Type" not in dict(headers):
            del answer["Content-Type"]  # Django's own guess, also for a 304
        return answer

    exempt: Callable[..., object] = csrf.csrf_exempt(hand_over)
    return exempt


class Urls:
    """Stands for the module of URL patterns."""

    urlpatterns: tuple[object, ...] = ()


def django_host(app: WSGIApp) -> WSGIApp:
    """Return the WSGI application of a project that serves `app` below /x."""
    if not conf.settings.configured:
        conf.settings.configure(ALLOWED_HOSTS=["*"], USE_TZ=True)
    conf.settings.ROOT_URLCONF = Urls  # a process has one project: another one may have run before
    urls.clear_url_caches()
    Urls.urlpatterns = (urls.re_path(r"^x/(?P<path>.*)$", view(app)),)
    host: WSGIApp = core.get_wsgi_application()
    return host
