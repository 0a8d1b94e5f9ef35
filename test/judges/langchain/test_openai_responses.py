from openai_tests import OpenAITests


class TestOpenAIResponses(OpenAITests):
    supports_image_tool_message = True

    @property
    def chat_model_params(self):
        return {**super().chat_model_params, "use_responses_api": True}
