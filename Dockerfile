# The device status service, built from this checkout: docker build -t status .
# A release gives its version: --build-arg VERSION=1.0.0
ARG PYTHON=docker.io/library/python:3.13-alpine

FROM ${PYTHON} AS build
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src src
COPY schemas schemas
COPY vectors vectors
ARG VERSION=
RUN if [ -n "$VERSION" ]; then export SETUPTOOLS_SCM_PRETEND_VERSION="$VERSION"; fi \
    && python3 -m venv --without-pip /opt/status \
    && python3 -m pip --python /opt/status/bin/python install --no-cache-dir --no-compile \
        --constraint constraints.txt '.[asgi,redis]'

FROM ${PYTHON}
COPY --from=build /opt/status /opt/status
RUN mkdir -m 0700 /data && chown 10001:10001 /data
USER 10001:10001
VOLUME /data
ENV PATH=/opt/status/bin:$PATH STATUS_STORE=sqlite:/data/status.db PYTHONUNBUFFERED=1
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD \
    ["python3", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/api/health', timeout=3)"]
ENTRYPOINT ["devicestatus"]
CMD ["serve", "--host", "0.0.0.0"]
