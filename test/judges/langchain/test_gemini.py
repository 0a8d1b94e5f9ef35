import os

from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_tests.integration_tests import ChatModelIntegrationTests


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
