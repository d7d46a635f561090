import 'reflect-metadata';
import { Body, Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import type { Statement } from './record-queries';

/** The data that the baseline replays for every request: the statements of the service and its response body. */
export interface Replay {
  readonly statements: readonly Statement[];
  readonly body: unknown;
  /** True to prepare the statements that the service prepares; false for unprepared statements, the default of `pg`. */
  readonly prepared: boolean;
  /** Values that are new in every request (ids of created rows). */
  readonly fresh: readonly string[];
  /** A value that is replaced by each of these in rotation: the connection that is fetched. */
  readonly round: { readonly value: string; readonly through: readonly string[] } | null;
}

// A bare Nest application without guards, pipes, filters and log: one route and pg.

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
let replay: Replay;
let turn = 0;

async function run(): Promise<unknown> {
  const { statements, prepared, fresh, round, body } = replay;
  const replaced = new Map(fresh.map((value) => [value, uuid()]));
  if (round) replaced.set(round.value, round.through[turn++ % round.through.length]!);
  const swap = (value: unknown): unknown => {
    if (replaced.size === 0 || typeof value !== 'string') return value;
    let text = value;
    for (const [old, other] of replaced) text = text.replaceAll(old, other);
    return text;
  };
  const client = await pool.connect();
  try {
    for (const { name, text, values } of statements) {
      await client.query({ text: swap(text) as string, values: values.map(swap), ...(prepared && name && { name }) });
    }
  } finally {
    client.release();
  }
  return body;
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
  process.on('message', (message: Replay) => {
    replay = message;
    process.send!('ready');
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  process.send!(`http://127.0.0.1:${port}/baseline`);
}

void main();
