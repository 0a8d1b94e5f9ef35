# How each generator makes, compiles and runs a client: a function `make_<folder>` for each, which .ci/generators calls in an empty
# folder that holds the served documents, with SOURCE = the generator's folder and TOOLS = the folder of this file.

# Ends the run where a language is missing: quietly on a developer's machine, as a failure under CI.
needs() {
  for program in "$@"; do
    command -v "$program" >/dev/null && continue
    echo "skipped: $program is not installed"
    [ -z "${CI:-}" ]
    exit
  done
}

# Into client/, from the file that the server serves, with whatever else the generator takes.
openapi_generator() {
  needs java mvn
  "$NODE" "$TOOLS/openapi-generator.ts" -i openapi.json -g "$1" -o client "${@:2}"
}

# The npm packages, installed once outside the project, as node_modules of this folder.
npm_packages() {
  "$NODE" "$PROJECT/test/lib/install.ts" conformance/generators
  ln -s "$TOOLS/node_modules" node_modules
}

# These npm packages of pinned versions, in this folder: those of generators that share none with others.
npm_pinned() {
  local install=(npm install --silent --no-save --no-audit --no-fund --ignore-scripts "$@")
  echo '{ "private": true }' >package.json
  "${install[@]}" || { sleep 10 && "${install[@]}"; }
}

# The Python packages, installed once outside the project.
python_packages() {
  needs python3
  local folder
  folder=$CACHE/python-$(sha256sum "$TOOLS/requirements.txt" | cut -c1-12)
  if [ ! -e "$folder/complete" ]; then
    python3 -m venv --clear "$folder"
    local install=("$folder/bin/pip" install -q -r "$TOOLS/requirements.txt")
    "${install[@]}" || { sleep 10 && "${install[@]}"; }
    touch "$folder/complete"
  fi
  python=$folder/bin/python
}

make_datamodel-code-generator() {
  python_packages
  "$(dirname "$python")/datamodel-codegen" --input openapi.json --input-file-type openapi --output models.py \
    --output-model-type pydantic_v2.BaseModel --target-python-version 3.11 --formatters builtin
  cp "$SOURCE/main.py" .
  "$python" main.py
}

make_go() {
  needs go
  openapi_generator go --git-user-id switchyard --git-repo-id client
  mkdir client/program
  cp "$SOURCE/main.go" client/program/main.go
  cd client
  go mod tidy 2>/dev/null || { sleep 10 && go mod tidy; }
  go build ./...
  go run ./program
}

# Its plugins for zod and valibot write the contract's patterns as literals of JavaScript.
make_hey-api() {
  npm_packages
  cp "$TOOLS/orval/tsconfig.json" .
  for plugin in zod valibot; do
    node_modules/.bin/openapi-ts -i openapi.json -o "client/$plugin" -p @hey-api/client-fetch @hey-api/typescript @hey-api/sdk "$plugin" >"$plugin.log" ||
      { cat "$plugin.log"; exit 1; }
  done
  node_modules/.bin/tsc -p .
}

make_java() {
  needs javac
  # By default the generator sends every list that was never set as an empty one, which `tools` must not be.
  openapi_generator java --additional-properties=containerDefaultToNull=true
  cp "$SOURCE/Program.java" client/src/main/java/Program.java
  cd client
  export MAVEN_OPTS=-Xmx512m
  goals=(-q -B -Dmaven.test.skip=true -Dmdep.outputFile=classpath -Dmdep.includeScope=runtime compile dependency:build-classpath)
  mvn "${goals[@]}" || { sleep 10 && mvn "${goals[@]}"; }
  java -Xmx256m -cp "target/classes:$(cat classpath)" Program
}

make_kubb() {
  npm_pinned @kubb/{cli,core,plugin-client,plugin-oas,plugin-ts,plugin-zod}@4.39.3 axios@1.21.1 typescript@5.9.3 zod@4.6.7
  cp "$SOURCE"/{main.ts,kubb.config.cjs} "$TOOLS/orval/tsconfig.json" .
  node_modules/.bin/kubb generate --config kubb.config.cjs >kubb.log 2>&1 || { cat kubb.log; exit 1; }
  node_modules/.bin/tsc -p .
  "$NODE" made/main.js
}

# It reads OpenAPI 3.0, of which a type may not be several. kin-openapi, the reader of many tools in Go, takes both.
make_oapi-codegen() {
  needs go
  export GOBIN=$CACHE/oapi-codegen-2.8.2 GOFLAGS=-mod=mod
  [ -x "$GOBIN/oapi-codegen" ] || go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
  [ -x "$GOBIN/validate" ] || go install github.com/getkin/kin-openapi/cmd/validate@v0.153.0
  for document in openapi.json openapi-3.0.json; do "$GOBIN/validate" "$document"; done
  "$GOBIN/oapi-codegen" -generate types,client -package api -o api.go openapi-3.0.json
  go mod init api 2>/dev/null
  go mod tidy 2>/dev/null || { sleep 10 && go mod tidy; }
  go build ./...
}

# Ogen reads OpenAPI 3.0 only.
make_ogen() {
  needs go
  cp "$SOURCE"/{go.mod,go.sum,main.go} .
  go mod download 2>/dev/null || { sleep 10 && go mod download; }
  ogen=$CACHE/ogen-$(sha256sum go.sum | cut -c1-12)
  [ -x "$ogen" ] || go build -o "$ogen" github.com/ogen-go/ogen/cmd/ogen
  "$ogen" --target api --package api openapi-3.0.json >ogen.log 2>&1 || { grep -v ^WARN ogen.log; exit 1; }
  go build ./...
  go run .
}

make_openapi-python-client() {
  python_packages
  for document in openapi openapi-3.0; do
    name=made_${document//[^a-z0-9]/_}
    "$(dirname "$python")/openapi-python-client" generate --path "$document.json" --meta none --output-path "$name" >log 2>&1 || { cat log; exit 1; }
    cp "$SOURCE/main.py" .
    "$python" main.py "$name"
  done
}

make_openapi-typescript() {
  npm_packages
  node_modules/.bin/openapi-typescript openapi.json -o schema.d.ts >/dev/null
  cp "$SOURCE"/{main.ts,tsconfig.json} .
  echo '{"type": "module"}' >package.json
  node_modules/.bin/tsc -p .
  "$NODE" main.ts
}

make_orval() {
  npm_pinned orval@8.38.0 axios@1.21.1 typescript@5.9.3 zod@4.6.7
  cp "$SOURCE"/{main.ts,tsconfig.json,orval.config.cjs} .
  node_modules/.bin/orval --config orval.config.cjs >orval.log 2>&1 || { cat orval.log; exit 1; }
  node_modules/.bin/tsc -p .
  "$NODE" made/main.js
}

# With Guzzle as Debian has it: the client's own manifest is for Composer.
make_php() {
  needs php
  openapi_generator php
  find client/lib -name '*.php' -print0 | xargs -0 -n 1 php -l >lint.log || { grep -v '^No syntax errors' lint.log; exit 1; }
  php "$SOURCE/main.php"
}

make_python() {
  python_packages
  openapi_generator python
  cp "$SOURCE/main.py" client/main.py
  cd client
  "$python" main.py
}

make_rtk-query() {
  npm_pinned @rtk-query/codegen-openapi@2.2.0 @reduxjs/toolkit@2.15.0 typescript@5.9.3
  cp "$SOURCE/main.ts" "$TOOLS/orval/tsconfig.json" .
  mkdir client
  for document in openapi openapi-3.0; do
    echo "module.exports = { schemaFile: '$document.json', outputFile: './client/$document.ts', apiFile: './main.ts', apiImport: 'api', exportName: 'made' }" >config.cjs
    node_modules/.bin/rtk-query-codegen-openapi config.cjs >log 2>&1 || { cat log; exit 1; }
  done
  node_modules/.bin/tsc -p .
  "$NODE" made/main.js
}

# For a key in a cookie it writes a line that ends each call with a NameError, as the finding of matrix.yaml shows: it gets its value.
make_ruby() {
  needs ruby
  openapi_generator ruby
  grep -q ' in: ,$' client/lib/openapi_client/configuration.rb
  sed -i "s/ in: ,$/ in: 'cookie',/" client/lib/openapi_client/configuration.rb
  ruby -Iclient/lib "$SOURCE/main.rb"
}

make_rust() {
  needs cargo
  # Not the version of the contract: the lock file names it, and is no part of a release.
  openapi_generator rust --additional-properties packageVersion=1.0.0
  cp -r "$SOURCE"/{Cargo.toml,Cargo.lock,src} .
  export CARGO_TARGET_DIR=$CACHE/rust
  cargo fetch --locked -q || { sleep 10 && cargo fetch --locked -q; }
  cargo run --locked -q
}

make_swagger-typescript-api() {
  npm_pinned swagger-typescript-api@13.13.0 typescript@5.9.3
  cp "$SOURCE/main.ts" "$TOOLS/typescript-fetch/tsconfig.json" .
  for document in openapi openapi-3.0; do
    node_modules/.bin/swagger-typescript-api generate -p "$document.json" -o client -n "$document.ts" >log 2>&1 || { cat log; exit 1; }
  done
  node_modules/.bin/tsc -p . --skipLibCheck
  "$NODE" made/main.js
}

make_typescript-fetch() {
  npm_packages
  openapi_generator typescript-fetch
  cp "$SOURCE"/{main.ts,tsconfig.json} .
  node_modules/.bin/tsc -p .
  "$NODE" made/main.js
}
