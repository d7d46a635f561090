/** The account of the server: never root, as Dovecot refuses mail access to root. */
export interface DovecotAccount {
  readonly user: string;
  readonly group: string;
  readonly uid: number;
  readonly gid: number;
}

/** A server of many mailboxes, each of them created at its first login. */
export interface DovecotUsers {
  /** The password of every user. */
  readonly password: string;
  /** Loopback addresses to listen on, as if they were several providers. */
  readonly addresses: readonly string[];
  /** Where the mailboxes are, for example in memory. */
  readonly folder: string;
}

/** Users log in with access tokens, which Dovecot has checked by the authorization server (RFC 7662). */
export interface DovecotOAuth {
  readonly introspectionUrl: string;
  readonly mechanism: 'xoauth2' | 'oauthbearer';
}

interface DovecotPorts {
  readonly port: number;
  readonly tlsPort: number;
  readonly manyUsers?: DovecotUsers;
  readonly oauth?: DovecotOAuth;
}

/** The settings of a server without privileges in the folder `home`. */
export function dovecotConfiguration(
  home: string,
  { user, group }: DovecotAccount,
  { port, tlsPort, manyUsers, oauth }: DovecotPorts,
): string {
  const listens = manyUsers?.addresses.join(' ') ?? '127.0.0.1';
  const userHome = manyUsers ? `${home}/mail/%u` : home;
  return `
protocols = imap
base_dir = ${home}/run
state_dir = ${home}/state
log_path = /dev/stderr
default_internal_user = ${user}
default_login_user = ${user}
default_internal_group = ${group}
mail_location = maildir:${manyUsers ? userHome : `${home}/mail`}:LAYOUT=fs:UTF-8
first_valid_uid = 1
first_valid_gid = 0
mail_max_userip_connections = 100
ssl = yes
ssl_cert = <${home}/cert.pem
ssl_key = <${home}/key.pem
auth_mechanisms = plain login${oauth ? ` ${oauth.mechanism}` : ''}
disable_plaintext_auth = ${manyUsers ? 'no' : 'yes'}
${oauth ? OAUTH_PASSDB.replace('HOME', home) : ''}passdb {
${manyUsers ? `  driver = static\n  args = password=${manyUsers.password}` : `  driver = passwd-file\n  args = scheme=PLAIN username_format=%u ${home}/users`}
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${userHome}
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Papierkorb {
    special_use = \\Trash
    auto = create
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
${manyUsers ? MANY_PROCESSES : ''}service imap-login {
  chroot =
  inet_listener imap {
    address = ${listens}
    port = ${port}
  }
  inet_listener imaps {
    address = ${listens}
    port = ${tlsPort}
    ssl = yes
  }
${manyUsers ? ONE_LOGIN_PROCESS : ''}
}
service stats {
  chroot =
}
`;
}

const OAUTH_PASSDB = `auth_failure_delay = 0
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = HOME/oauth2.conf
}
`;

/** The settings of the driver `oauth2`. The server's answer names the user, who has to be the one of the login. */
export const oauthConfiguration = ({ introspectionUrl }: DovecotOAuth): string => `introspection_mode = post
introspection_url = ${introspectionUrl}
username_attribute = username
active_attribute = active
active_value = true
`;

/** Every open connection has a process of its own. */
const MANY_PROCESSES = `service imap {
  process_limit = 2000
}
`;

/**
 * Dovecot's "high-performance mode": a process that handles many logins. As it comes, it uses a process for each login, so that TLS
 * sessions cannot be resumed; several processes do not share the keys of their tickets as the servers of a provider do.
 */
const ONE_LOGIN_PROCESS = `  service_count = 0
  process_min_avail = 1
  process_limit = 1
  client_limit = 4000`;
