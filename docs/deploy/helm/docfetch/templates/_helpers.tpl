{{- define "docfetch.name" -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) -}}
{{- /* A release may have dots in its name, a Service may not. */ -}}
{{ $name | replace "." "-" | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "docfetch.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "docfetch.labels" -}}
{{ include "docfetch.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "docfetch.serviceAccount" -}}
{{ if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "docfetch.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "docfetch.image" -}}
{{- $repository := required "image.repository is required" .Values.image.repository -}}
{{ if .Values.image.digest }}{{ $repository }}@{{ .Values.image.digest }}{{ else }}{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "docfetch.host" -}}
{{ .Values.ingress.host | default (get (urlParse .Values.settings.PUBLIC_URL) "host" | splitList ":" | first | lower) }}
{{- end }}

{{/* The environment of a process: .role (api, worker or empty), .console, .root */}}
{{- define "docfetch.env" -}}
{{- $values := .root.Values -}}
- { name: NODE_ENV, value: production }
- { name: PORT, value: '3000' }
{{- with .role }}
- { name: ROLE, value: {{ . }} }
{{- end }}
{{- if eq .role "api" }}
- { name: SHUTDOWN_DELAY_SECONDS, value: {{ $values.api.shutdownDelaySeconds | quote }} }
- { name: CONSOLE_ENABLED, value: {{ .console | quote }} }
{{- end }}
{{- if and .role $values.metrics.enabled }}
- { name: METRICS_PORT, value: {{ $values.metrics.port | quote }} }
{{- end }}
{{- range $name, $value := $values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- range $name, $reference := $values.secrets }}
{{- if hasKey $values.settings $name }}{{ fail (printf "%s is in settings and in secrets" $name) }}{{ end }}
- name: {{ $name }}
  valueFrom: { secretKeyRef: { name: {{ $reference.name }}, key: {{ $reference.key }} } }
{{- end }}
{{- end }}

{{- define "docfetch.podSecurity" -}}
runAsNonRoot: true
# The account "node" of the image.
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "docfetch.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "docfetch.placement" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "docfetch.volumes" -}}
- { name: tmp, emptyDir: { sizeLimit: 64Mi } }
{{- with .Values.volumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "docfetch.volumeMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- with .Values.volumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The Deployment of a process: .component (its name), .role, .console, .replicas, .autoscaled, .resources, .command, .grace, .root */}}
{{- define "docfetch.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "docfetch.name" .root }}-{{ .component }}
  labels: {{ include "docfetch.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- if not .autoscaled }}
  replicas: {{ .replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  # The new pod is ready before an old one is removed.
  strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  selector:
    matchLabels: {{ include "docfetch.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  template:
    metadata:
      labels: {{ include "docfetch.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
      {{- with .root.Values.podAnnotations }}
      annotations: {{ toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "docfetch.serviceAccount" .root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      securityContext: {{ include "docfetch.podSecurity" .root | nindent 8 }}
      terminationGracePeriodSeconds: {{ .grace }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{ include "docfetch.selector" .root | nindent 14 }}
              app.kubernetes.io/component: {{ .component }}
      {{- with include "docfetch.placement" .root | trim }}
      {{- . | nindent 6 }}
      {{- end }}
      containers:
        - name: {{ .role }}
          image: {{ include "docfetch.image" .root | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          command: {{ toJson .command }}
          securityContext: {{ include "docfetch.containerSecurity" .root | nindent 12 }}
          env: {{ include "docfetch.env" (dict "root" .root "role" .role "console" .console) | nindent 12 }}
          ports:
            - { name: http, containerPort: 3000 }
            {{- if .root.Values.metrics.enabled }}
            - { name: metrics, containerPort: {{ .root.Values.metrics.port }} }
            {{- end }}
          # A start takes seconds; one whose database is away fails and is repeated.
          startupProbe: { httpGet: { path: /health/live, port: http }, periodSeconds: 2, failureThreshold: 60 }
          # Whether the process answers at all: a database that is away must not get every pod restarted.
          livenessProbe: { httpGet: { path: /health/live, port: http }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
          readinessProbe: { httpGet: { path: /health/ready, port: http }, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 2 }
          resources: {{ toYaml .resources | nindent 12 }}
          volumeMounts: {{ include "docfetch.volumeMounts" .root | nindent 12 }}
      volumes: {{ include "docfetch.volumes" .root | nindent 8 }}
{{- end }}
