curl -s http://127.0.0.1:8080/v1/chat \
  -H "Authorization: Bearer $SWITCHYARD_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"message": "Hello!"}'
