# One image for every service: the command chooses which one runs, so all of them are always the
# same build, a node pulls it once, and one scan covers everything. An image for each would differ
# in a few hundred kilobytes of our own code; what is large, they share.
# Example: docker run riverboat python -m services.engine

# The web client, compiled to static files.
FROM node:20.19.5-bookworm-slim AS web
WORKDIR /web
COPY services/gateway/web/package.json services/gateway/web/package-lock.json \
     services/gateway/web/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY services/gateway/web/ ./
RUN npm run build

# The runtime dependencies, from hashed wheels only: nothing is compiled, no dev tools.
FROM python:3.11.14-slim-bookworm AS dependencies
WORKDIR /build
COPY requirements-runtime.lock ./
RUN python -m venv --without-pip /opt/venv \
    && python -m pip --python /opt/venv/bin/python install --no-cache-dir --no-compile \
        --require-hashes --only-binary :all: --requirement requirements-runtime.lock

# The rules, and what the engine reads and writes, as machine code: this stage has a C compiler.
# Of the development lock it takes mypy, what mypy needs, and the types of protobuf.
FROM python:3.11.14-bookworm AS compiled
WORKDIR /build
COPY requirements.lock ./
RUN awk '/^[a-z]/ { keep = /^(ast-serialize|librt|mypy|mypy-extensions|pathspec|setuptools|types-protobuf|typing-extensions)==/ } keep' \
        requirements.lock > compile.lock \
    && python -m pip install --no-cache-dir --require-hashes --only-binary :all: --requirement compile.lock
COPY poker/ poker/
COPY proto/ proto/
COPY services/common/ services/common/
COPY services/engine/ services/engine/
COPY tools/fast.py tools/
RUN python tools/fast.py build /compiled \
    && find /compiled -type f ! -name '*.so' -delete

# Our own code; to bytecode here because the final root file system is read-only. Bytecode by
# content, not by time, is the same in every build. Python takes a compiled module before the
# source beside it.
FROM dependencies AS application
WORKDIR /app
COPY poker/ poker/
COPY proto/ proto/
COPY services/ services/
RUN rm -rf services/gateway/web
COPY --from=web /web/dist/ services/gateway/web/dist/
COPY --from=compiled /compiled/ ./
# Readable by anyone, whatever the permissions in the checkout were.
RUN python -m compileall -q --invalidation-mode unchecked-hash /app /opt/venv && chmod -R a+rX /app /opt/venv

FROM python:3.11.14-slim-bookworm
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Riverboat" \
      org.opencontainers.image.description="A self-hostable no-limit Texas Hold'em platform" \
      org.opencontainers.image.base.name="python:3.11.14-slim-bookworm" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# The base image brings an installer; a running service never needs one.
RUN python -m pip uninstall --yes pip setuptools wheel \
    && groupadd --system --gid 10001 riverboat \
    && useradd --system --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin riverboat
COPY --from=application /opt/venv /opt/venv
COPY --from=application /app /app
# River's solver is compiled when it starts; only /tmp can be written to.
ENV PATH="/opt/venv/bin:${PATH}" \
    NUMBA_CACHE_DIR=/tmp/numba \
    OPENBLAS_NUM_THREADS=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
WORKDIR /app
# A number, so that an orchestrator can see that it is not root.
USER 10001:10001
STOPSIGNAL SIGTERM
CMD ["python", "-m", "services.gateway"]
