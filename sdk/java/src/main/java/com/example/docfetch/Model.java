package com.example.docfetch;

import com.example.docfetch.internal.Json;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
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

  /** Whether everything is there that the API always sends, also in the bodies that this one contains. */
  public abstract boolean isComplete();

  /** For the generated code: whether a member is no body, or a complete one, or a list of such members. */
  protected static boolean isCompleteMember(Object member) {
    if (member instanceof List) {
      return ((List<?>) member).stream().allMatch(Model::isCompleteMember);
    }
    return !(member instanceof Model) || ((Model) member).isComplete();
  }

  /** JSON for logs: without credentials, form input and the content of documents. */
  @Override
  public String toString() {
    return getClass().getSimpleName() + Json.forLogs(this);
  }
}
