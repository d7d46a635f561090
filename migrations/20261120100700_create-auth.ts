import { Migration } from '@mikro-orm/migrations';

export class CreateAuth extends Migration {
  override up(): void {
    this.addSql(`
      create table api_key (
        uuid uuid primary key,
        environment_uuid uuid not null references environment (uuid),
        digest text not null unique,
        prefix text not null,
        last_four text not null,
        created_at timestamptz(3) not null,
        last_used_at timestamptz(3) null,
        expires_at timestamptz(3) null,
        revoked_at timestamptz(3) null
      );
      create index api_key_environment on api_key (environment_uuid);
    `);
  }

  override down(): void {
    this.addSql('drop table api_key');
  }
}
