import { awsEnvironment } from './aws-environment';

/** Access keys as the SDK names them. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Absent: they do not expire. */
  readonly expiration?: Date;
}

/** A service that issues access keys. */
export interface CredentialService {
  /** For messages: `none come from <name>`. */
  readonly name: string;
  request(): Promise<Credentials>;
}

const CONNECT_MS = 1_000;
const REQUEST_MS = 5_000;
const ATTEMPTS = 2;

type Warn = (message: string) => void;

/**
 * Where the process gets its access keys from, in the order of the AWS SDKs: the environment, web identity (IRSA), the agent of the
 * container (EKS Pod Identity, ECS), the instance (IMDSv2). The environment decides which one is asked; when it fails, no other one is.
 * The SDK's own clients send the requests: these addresses come from the operator, and the network guard blocks them for all others.
 */
export async function credentialService(region: string, warn: Warn): Promise<CredentialService> {
  const env = awsEnvironment();
  if (env.AWS_ACCESS_KEY_ID && env.AWS_SECRET_ACCESS_KEY) return ofEnvironment();
  if (env.AWS_WEB_IDENTITY_TOKEN_FILE && env.AWS_ROLE_ARN)
    return ofWebIdentity(env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? region);
  if (env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI || env.AWS_CONTAINER_CREDENTIALS_FULL_URI) return ofContainer(warn);
  return ofInstance(warn);
}

async function ofEnvironment(): Promise<CredentialService> {
  const { fromEnv } = await import('@aws-sdk/credential-provider-env');
  return { name: 'the environment', request: fromEnv() };
}

async function ofWebIdentity(region: string): Promise<CredentialService> {
  const { fromTokenFile } = await import('@aws-sdk/credential-provider-web-identity');
  const requestHandler = { connectionTimeout: CONNECT_MS, requestTimeout: REQUEST_MS, throwOnRequestTimeout: true };
  // The file is read for each request: the token in it is replaced before it expires.
  const request = fromTokenFile({ clientConfig: { region, maxAttempts: ATTEMPTS, requestHandler } });
  return { name: 'AWS STS', request: () => request() };
}

async function ofContainer(warn: Warn): Promise<CredentialService> {
  const { fromHttp } = await import('@aws-sdk/credential-provider-http');
  return {
    name: "the container's credentials endpoint",
    request: async () => fromHttp({ timeout: CONNECT_MS, maxRetries: ATTEMPTS - 1, logger: loggerOf(warn) })(),
  };
}

async function ofInstance(warn: Warn): Promise<CredentialService> {
  const { fromInstanceMetadata } = await import('@smithy/credential-provider-imds');
  return {
    name: "the instance's metadata service",
    // A new provider for each request: one that has answered before hides failures.
    request: () =>
      fromInstanceMetadata({
        timeout: CONNECT_MS,
        maxRetries: ATTEMPTS - 1,
        ec2MetadataV1Disabled: true,
        logger: loggerOf(warn),
      })().catch((error: unknown) => {
        if ((error as Error).name !== 'InstanceMetadataV1FallbackError') throw error;
        throw new Error('no session token of IMDSv2', { cause: error });
      }),
  };
}

const nothing = () => undefined;
const loggerOf = (warn: Warn) => ({ trace: nothing, debug: nothing, info: nothing, warn, error: nothing });
