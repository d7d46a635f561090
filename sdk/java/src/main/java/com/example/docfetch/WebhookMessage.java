package com.example.docfetch;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.OffsetDateTime;
import java.util.Map;

/** The body of a webhook. */
public final class WebhookMessage extends Model {
  @JsonProperty private String type;
  @JsonProperty private OffsetDateTime timestamp;
  @JsonProperty private Map<String, Object> data;

  /** For example {@code document.available}. Answer 200 to unknown types and ignore them. */
  public String getType() {
    return type;
  }

  public OffsetDateTime getTimestamp() {
    return timestamp;
  }

  /** Depends on the type. */
  public Map<String, Object> getData() {
    return data;
  }

  @Override
  public boolean isComplete() {
    return type != null && data != null;
  }
}
