package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader(`{"model": "sandbox/echo", "message": "Why is the sky blue?"}`)
	request, err := http.NewRequest("POST", "http://127.0.0.1:8080/v1/chat/stream", body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SWITCHYARD_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		log.Fatal(response.Status)
	}

	complete := false
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		data, isData := strings.CutPrefix(lines.Text(), "data: ")
		if !isData {
			continue
		}
		var event struct {
			Type    string
			Content string
			Error   struct{ Message string }
		}
		if err := json.Unmarshal([]byte(data), &event); err != nil {
			log.Fatal(err)
		}
		switch event.Type {
		case "delta":
			fmt.Print(event.Content)
		case "error":
			log.Fatal(event.Error.Message)
		case "end":
			complete = true
		}
	}
	if !complete {
		log.Fatal("the stream broke off: ", lines.Err())
	}
	fmt.Println()
}
