import 'reflect-metadata';
import { Body, Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AddressInfo } from 'node:net';
import { hash } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';
import { v7 as uuid } from 'uuid';
import type { Statement } from './record-queries';

/** The data that the baseline replays for every request: the statements of the service and its response. */
export interface Replay {
  readonly statements: readonly Statement[];
  readonly body: unknown;
  /** Values that are new in every request (ids of created rows). */
  readonly fresh: readonly string[];
  /** A value that is replaced by each of these in rotation: the connection that is fetched. */
  readonly round: { readonly value: string; readonly through: readonly string[] } | null;
}

// A bare Nest application without guards, pipes, filters and log: one route and pg. Every statement with values is prepared.

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
let replay: Replay;
let count = 0;

async function run(): Promise<unknown> {
  const { statements, body } = replay;
  if (statements.length === 0) return body;
  const swap = swapped();
  const client = await pool.connect();
  try {
    for (const statement of statements) await query(client, statement, swap);
  } finally {
    client.release();
  }
  return body;
}

type Swap = (value: unknown) => unknown;

/** Replaces the values that are different in every request. */
function swapped(): Swap {
  const { fresh, round } = replay;
  const replaced = new Map(fresh.map((value) => [value, uuid()]));
  if (round) replaced.set(round.value, round.through[count++ % round.through.length]!);
  if (replaced.size === 0) return (value) => value;
  return (value) => {
    if (typeof value !== 'string') return value;
    let text = value;
    for (const [old, other] of replaced) text = text.replaceAll(old, other);
    return text;
  };
}

const names = new Map<string, string>();

async function query(client: PoolClient, { text, values }: Statement, swap: Swap): Promise<void> {
  const sent = swap(text) as string;
  if (values.length === 0 || sent !== text) return void (await client.query(sent, values.map(swap)));
  if (!names.has(text)) names.set(text, hash('sha256', text, 'base64url'));
  await client.query({ name: names.get(text)!, text, values: values.map(swap) });
}

@Controller('baseline')
class BaselineController {
  @Get()
  read(): Promise<unknown> {
    return run();
  }

  @Post()
  @HttpCode(202)
  write(@Body() _: unknown): Promise<unknown> {
    return run();
  }
}

@Module({ controllers: [BaselineController] })
class BaselineModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(BaselineModule, { logger: false });
  process.on('message', (message: Partial<Replay>) => {
    if (!message.statements) return; // for the profile
    replay = message as Replay;
    process.send!('ready');
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  process.send!(`http://127.0.0.1:${port}`);
}

void main();
