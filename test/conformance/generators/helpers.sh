# What the generators have in common. Each `run` beside it is read by .ci/generators in an empty folder that holds the served
# documents, with SOURCE = its own folder and TOOLS = that of this file.

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
