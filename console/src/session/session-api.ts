import type { Docfetch } from '@docfetch/sdk';
import type { ConsoleSession } from './console-session';

const PATH = '/v1/console/session';

export async function openSession(
  client: Docfetch,
  credential: { readonly link: string } | { readonly api_key: string },
): Promise<ConsoleSession> {
  const { data } = await client.post<{ 201: { data: ConsoleSession } }, unknown, true>({
    url: PATH,
    body: credential,
    headers: { 'Content-Type': 'application/json' },
  });
  return data.data;
}

export async function readSession(client: Docfetch): Promise<ConsoleSession> {
  const { data } = await client.get<{ 200: { data: ConsoleSession } }, unknown, true>({ url: PATH });
  return data.data;
}

export async function closeSession(client: Docfetch): Promise<void> {
  await client.delete({ url: PATH });
}
