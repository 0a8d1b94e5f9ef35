import os

from langchain_anthropic import ChatAnthropic
from langchain_tests.integration_tests import ChatModelIntegrationTests


class TestAnthropicMessages(ChatModelIntegrationTests):
    chat_model_class = ChatAnthropic
    supports_anthropic_inputs = True
    supports_image_inputs = True
    supports_image_tool_message = True
    supports_image_urls = True
    supports_pdf_inputs = True
    supports_pdf_tool_message = True
    model_override_value = "claude-haiku-4-5"

    @property
    def chat_model_params(self):
        return {
            "model": os.environ["MODEL_ANTHROPIC"],
            "base_url": os.environ["BASE"],
            "api_key": os.environ["KEY"],
            "max_retries": 0,
            "timeout": 20,
        }
