"""llm, the command-line client: its own program, set up with a file as its documentation says."""

import base64
import json
import os
import pathlib
import subprocess
import sys

from judge_cases import BASE, KEY, LONG, MODEL_OPENAI, PARALLEL, PLAIN, PNG, SECONDS, WEATHER, case, check, run

work = pathlib.Path(os.environ["WORK"])
program = pathlib.Path(sys.executable).with_name("llm")
settings = work / "llm"
settings.mkdir(exist_ok=True)
# Models of their own for what fails: the server leaves a model alone for a while that has failed repeatedly.
models = [
    {
        "model_id": f"{wire}{suffix}",
        "model_name": f"{MODEL_OPENAI}{suffix and f'-{wire}{suffix}'}",
        "responses": wire == "responses",
        "api_base": f"{BASE}/v1",
        # Without it no key is sent to an address of one's own.
        "api_key_name": "switchyard",
        "supports_tools": True,
        "supports_schema": True,
        "vision": True,
    }
    for wire in ("chat", "responses")
    for suffix in ("", "-broken", "-cut")
]
(settings / "extra-openai-models.yaml").write_text(json.dumps(models))
(work / "picture.png").write_bytes(base64.b64decode(PNG))


def llm(*args, fails=False, begins=""):
    done = subprocess.run(
        [program, *args, "--key", KEY],
        env={**os.environ, "LLM_USER_PATH": str(settings)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    print(done.args, done.stdout, done.stderr, file=sys.stderr)
    assert (done.returncode != 0) == fails, f"exit {done.returncode}: {done.stdout or done.stderr}"
    assert done.stdout.startswith(begins), done.stdout
    return done.stderr if fails else done.stdout.strip()


FUNCTIONS = 'def get_weather(city: str) -> str:\n    "The weather of a city"\n    return "21 degrees in " + city'

for model in ["chat", "responses"]:

    @case(f"{model}: plain text")
    def _(model=model):
        check(llm("-m", model, "--no-stream", "JUDGE plain"), PLAIN)

    @case(f"{model}: stream")
    def _(model=model):
        check(llm("-m", model, "JUDGE long"), LONG)

    @case(f"{model}: usage")
    def _(model=model):
        llm("-m", model, "JUDGE long")
        done = subprocess.run(
            [program, "logs", "-n", "1", "--json"],
            env={**os.environ, "LLM_USER_PATH": str(settings)},
            capture_output=True,
            text=True,
            check=True,
        )
        [entry] = json.loads(done.stdout)
        check((entry["input_tokens"], entry["output_tokens"]), (21, 34))

    @case(f"{model}: tool call, then text")
    def _(model=model):
        check(llm("-m", model, "JUDGE weather", "--functions", FUNCTIONS), WEATHER)

    @case(f"{model}: parallel tool calls")
    def _(model=model):
        check(llm("-m", model, "JUDGE parallel", "--functions", FUNCTIONS), PARALLEL)

    @case(f"{model}: JSON by schema")
    def _(model=model):
        answer = llm("-m", model, "JUDGE schema", "--schema", "name, age int")
        check(json.loads(answer), {"name": "Ada", "age": 36})

    @case(f"{model}: image")
    def _(model=model):
        check(llm("-m", model, "JUDGE image", "-a", str(work / "picture.png")), "I see a red square.")

    @case(f"{model}: error 429")
    def _(model=model):
        assert "Error code: 429" in llm("-m", model, "JUDGE error 429", fails=True)

    @case(f"{model}: error 500")
    def _(model=model):
        assert "Error code: 50" in llm("-m", f"{model}-broken", "JUDGE error 500", fails=True)

    @case(f"{model}: cut stream is an error")
    def _(model=model):
        llm("-m", f"{model}-cut", "JUDGE cut", fails=True, begins="This")


run()
