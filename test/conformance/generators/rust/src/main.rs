//! Calls the server with the client that OpenAPI Generator makes for Rust. There is no stream here: in 7.25.0 its clients read
//! replies in JSON and `text/plain`, and give an error for any other media type (`ContentType::Unsupported` in apis/mod.rs).
use openapi::apis::{agents_api, chat_api, configuration::{ApiKey, Configuration}, factory_jobs_api, Error};
use openapi::models::{chat_message, ChatMessage, ChatMessageContent, ChatMessageRequest, ChatMessagesRequest, ChatRequest, ErrorCode, JobRequest, JobStatus};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut configuration = Configuration::new();
    configuration.bearer_access_token = std::env::var("API_KEY").ok();

    configuration.api_key = std::env::var("API_KEY").ok().map(|key| ApiKey { prefix: None, key });

    let mut single = ChatMessageRequest::new("Hello".to_string());
    single.model = Some("sandbox/echo".to_string());
    let request = ChatRequest::ChatMessageRequest(Box::new(single));
    let answer = chat_api::create_chat(&configuration, request, None, None).await.unwrap();
    assert_eq!(answer.content, "Hello");
    assert!(answer.usage.total_tokens > 0);

    let mut message = ChatMessage::new(chat_message::Role::User);
    message.content = Some(Box::new(ChatMessageContent::AText("Hello again".to_string())));
    let conversation = ChatMessagesRequest::new("sandbox/echo".to_string(), vec![message]);
    let request = ChatRequest::ChatMessagesRequest(Box::new(conversation));
    let answer = chat_api::create_chat(&configuration, request, None, None).await.unwrap();
    assert_eq!(answer.content, "Hello again");

    let build = JobRequest { prompt: Some("a packing list".to_string()), ..JobRequest::new() };
    let mut job = factory_jobs_api::create_factory_job(&configuration, build, None, None).await.unwrap();
    while matches!(job.status, JobStatus::JOB_STATUS_QUEUED | JobStatus::JOB_STATUS_RUNNING) {
        std::thread::sleep(std::time::Duration::from_millis(200));
        job = factory_jobs_api::get_factory_job(&configuration, &job.id, None).await.unwrap();
    }
    assert_eq!(job.status, JobStatus::JOB_STATUS_SUCCEEDED);
    assert!(job.artifact.unwrap().bytes > 0);

    let failure = match agents_api::get_agent(&configuration, "nobody").await {
        Err(Error::ResponseError(failure)) => failure,
        other => panic!("unexpected: {other:?}"),
    };
    assert_eq!(failure.status.as_u16(), 404);
    // All its error replies have one schema, so it takes each for the first of them.
    match failure.entity {
        Some(agents_api::GetAgentError::Status400(reply)) => assert_eq!(reply.error.code, ErrorCode::NotFound),
        other => panic!("unexpected: {other:?}"),
    }
}
