from openai_tests import OpenAITests


class TestOpenAIChat(OpenAITests):
    @property
    def chat_model_params(self):
        return {**super().chat_model_params, "stream_usage": True, "use_responses_api": False}
