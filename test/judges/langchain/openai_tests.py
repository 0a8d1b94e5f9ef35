"""What LangChain's tests of both of OpenAI's wires have in common: one class has both."""

import os

from langchain_openai import ChatOpenAI
from langchain_tests.integration_tests import ChatModelIntegrationTests


class OpenAITests(ChatModelIntegrationTests):
    chat_model_class = ChatOpenAI
    supports_image_inputs = True
    supports_json_mode = True
    supports_pdf_inputs = True
    model_override_value = "gpt-5.4-mini"

    @property
    def chat_model_params(self):
        return {
            "model": os.environ["MODEL_OPENAI"],
            "base_url": f"{os.environ['BASE']}/v1",
            "api_key": os.environ["KEY"],
            "max_retries": 0,
            "timeout": 20,
        }
