import os

from langchain_anthropic import ChatAnthropic
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI
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


class TestGemini(ChatModelIntegrationTests):
    chat_model_class = ChatGoogleGenerativeAI
    supports_image_inputs = True
    supports_json_mode = True
    supports_pdf_inputs = True
    supports_audio_inputs = True
    supports_model_override = False

    @property
    def chat_model_params(self):
        return {
            "model": os.environ["MODEL_GEMINI"],
            "base_url": os.environ["BASE"],
            "api_key": os.environ["KEY"],
            "max_retries": 1,
            "timeout": 20,
        }


# What the tests of both of OpenAI's wires share. Pytest does not collect it, as its name does not begin with "Test".
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


class TestOpenAIChat(OpenAITests):
    @property
    def chat_model_params(self):
        return {**super().chat_model_params, "stream_usage": True, "use_responses_api": False}


class TestOpenAIResponses(OpenAITests):
    supports_image_tool_message = True

    @property
    def chat_model_params(self):
        return {**super().chat_model_params, "use_responses_api": True}
