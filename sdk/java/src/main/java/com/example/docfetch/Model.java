package com.example.docfetch;

import com.example.docfetch.internal.Json;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A body of the API. Its getters return {@code null} for what is missing. */
@JsonAutoDetect(
    fieldVisibility = Visibility.NONE,
    getterVisibility = Visibility.NONE,
    isGetterVisibility = Visibility.NONE,
    setterVisibility = Visibility.NONE)
public abstract class Model {
  private final Map<String, Object> additionalProperties = new LinkedHashMap<>();

  /** Properties that a later version of the service has added. */
  @JsonAnyGetter
  public Map<String, Object> getAdditionalProperties() {
    return Collections.unmodifiableMap(additionalProperties);
  }

  @JsonAnySetter
  private void setAdditionalProperty(String name, Object value) {
    additionalProperties.put(name, value);
  }

  /** Whether everything is there that the API always sends. */
  public abstract boolean isComplete();

  /** JSON for logs: without credentials, form input and the content of documents. */
  @Override
  public String toString() {
    return getClass().getSimpleName() + Json.forLogs(this);
  }
}
