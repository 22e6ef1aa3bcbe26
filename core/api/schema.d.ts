/* Generated from the gateway's OpenAPI document by `npm run generate`; npm test fails when it is out of date. */

/** What each call takes and answers. */
export interface Calls {
  /** Whether the process works: restart it if there is no reply */
  'GET /healthz': {
    answer: {
      status: 'ok' | 'failed'
      checks: {
        name: string
        status: 'ok' | 'failed'
        /** error; absent if the check passed */
        message?: string
      }[]
    }
  }
  /** Whether the gateway can accept requests */
  'GET /readyz': {
    answer: {
      status: 'ok' | 'failed'
      checks: {
        name: string
        status: 'ok' | 'failed'
        /** error; absent if the check passed */
        message?: string
      }[]
    }
  }
  /** Chat completions, in OpenAI's format, at Azure's address */
  'POST /openai/deployments/:model/chat/completions': {
    path: {
      model: string
    }
    stream: unknown
  }
  /** Legacy completions, in OpenAI's format, at Azure's address */
  'POST /openai/deployments/:model/completions': {
    path: {
      model: string
    }
    stream: unknown
  }
  /** Responses, in OpenAI's format, at Azure's address */
  'POST /openai/deployments/:model/responses': {
    path: {
      model: string
    }
    stream: unknown
  }
  /** Embeddings, in OpenAI's format, at Azure's address */
  'POST /openai/deployments/:model/embeddings': {
    path: {
      model: string
    }
    stream: unknown
  }
  /** Pictures from a text, at Azure's address */
  'POST /openai/deployments/:model/images/generations': {
    path: {
      model: string
    }
    stream: unknown
  }
  /** Edits a picture as described in a text, at Azure's address */
  'POST /openai/deployments/:model/images/edits': {
    path: {
      model: string
    }
    stream: unknown
  }
  /** Variations of a picture, at Azure's address */
  'POST /openai/deployments/:model/images/variations': {
    path: {
      model: string
    }
    stream: unknown
  }
  /** Speech from a text, at Azure's address */
  'POST /openai/deployments/:model/audio/speech': {
    path: {
      model: string
    }
    stream: unknown
  }
  /** The text of a recording, at Azure's address */
  'POST /openai/deployments/:model/audio/transcriptions': {
    path: {
      model: string
    }
    stream: unknown
  }
  /** The text of a recording, in English, at Azure's address */
  'POST /openai/deployments/:model/audio/translations': {
    path: {
      model: string
    }
    stream: unknown
  }
  /** Whether a text is harmful, at Azure's address */
  'POST /openai/deployments/:model/moderations': {
    path: {
      model: string
    }
    stream: unknown
  }
  /** Documents ranked by relevance to a query, at Azure's address */
  'POST /openai/deployments/:model/rerank': {
    path: {
      model: string
    }
    stream: unknown
  }
  /** Conversations in Cohere's format */
  'POST /v2/chat': {
    stream: unknown
  }
  /** Embeddings in Cohere's format */
  'POST /v2/embed': {
    stream: unknown
  }
  /** A ranking of documents in Cohere's format */
  'POST /v2/rerank': {
    stream: unknown
  }
  /** Chat as the signed-in user, charged to their balance */
  'POST /pg/chat/completions': {
    stream: unknown
  }
  /** Public status and settings */
  'GET /api/status': {
    data: {
      version: string
      start_time: number
      email_verification: boolean
      github_oauth: boolean
      github_client_id: string
      github_authorize_url: string
      linuxdo_oauth: boolean
      linuxdo_client_id: string
      linuxdo_authorize_url: string
      oidc_oauth: boolean
      oidc_client_id: string
      oidc_display_name: string
      telegram_oauth: boolean
      telegram_bot_name: string
      wechat_login: boolean
      wechat_qrcode: string
      password_length_max: number
      turnstile_check: boolean
      turnstile_site_key: string
      turnstile_script_url: string
      system_name: string
      logo: string
      footer_html: string
      server_address: string
      price: number
      min_topup: number
      top_up_link: string
      enable_online_topup: boolean
      chat_link: string
      chat_link2: string
      chats: {
        [k: string]: string
      }[]
      quota_per_unit: number
      display_in_currency: boolean
      enable_batch_update: boolean
      enable_drawing: boolean
      enable_task: boolean
      enable_data_export: boolean
      data_export_default_time: string
      default_collapse_sidebar: boolean
      mj_notify_enabled: boolean
      demo_site_enabled: boolean
    }
  }
  /** Checks whether the database responds */
  'GET /api/status/test': {}
  /** Background jobs: the leading process and the last run of each job */
  'GET /api/jobs': {
    data: Job[]
  }
  /** Log rows, newest first */
  'GET /api/log/': {
    query?: {
      /** from 1 */
      p?: number
      page_size?: number
      /** 0 is all */
      type?: number
      token_name?: string
      /** % and _ are wildcards */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
    }
    data: {
      items: Log[]
      total: number
      page: number
      page_size: number
    }
  }
  /** Deletes the rows older than a time; returns their number */
  'DELETE /api/log/': {
    query?: {
      /** unix seconds */
      target_timestamp?: number
    }
    data: number
  }
  /** The user's own log rows */
  'GET /api/log/self': {
    query?: {
      /** from 1 */
      p?: number
      page_size?: number
      /** 0 is all */
      type?: number
      token_name?: string
      /** % and _ are wildcards */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
    }
    data: {
      items: Log[]
      total: number
      page: number
      page_size: number
    }
  }
  /** Usage and rate */
  'GET /api/log/stat': {
    query?: {
      /** 0 is all */
      type?: number
      token_name?: string
      /** % and _ are wildcards */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
    }
    data: LogStat
  }
  /** Usage and rate of the user's own rows */
  'GET /api/log/self/stat': {
    query?: {
      /** 0 is all */
      type?: number
      token_name?: string
      /** % and _ are wildcards */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
    }
    data: LogStat
  }
  /** The newest 100 rows whose type is the keyword, or whose content starts with it */
  'GET /api/log/search': {
    query?: {
      keyword?: string
    }
    data: Log[]
  }
  /** The user's own newest 100 rows whose type is the keyword */
  'GET /api/log/self/search': {
    query?: {
      keyword?: string
    }
    data: Log[]
  }
  /** The newest 1000 rows of an API key. The key is the only credential */
  'GET /api/log/token': {
    query?: {
      key?: string
    }
    data: Log[]
  }
  /** The latest rows; with a cursor, each row committed since then, once */
  'GET /api/log/tail': {
    query?: {
      /** `cursor` of the previous reply; omit it on the first call */
      cursor?: string
      /** without a cursor: number of existing rows to return (default 10; higher values than 1000 count as 1000) */
      last?: number
      /** 0 is all */
      type?: number
      token_name?: string
      /** % and _ are wildcards */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
    }
    data: {
      /** oldest first */
      items: Log[]
      /** opaque; for the next call */
      cursor: string
      /** whether to call again immediately */
      more: boolean
    }
  }
  /** The user's latest rows; with a cursor, each row committed since then, once */
  'GET /api/log/self/tail': {
    query?: {
      /** `cursor` of the previous reply; omit it on the first call */
      cursor?: string
      /** without a cursor: number of existing rows to return (default 10; higher values than 1000 count as 1000) */
      last?: number
      /** 0 is all */
      type?: number
      token_name?: string
      /** % and _ are wildcards */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
    }
    data: {
      /** oldest first */
      items: Log[]
      /** opaque; for the next call */
      cursor: string
      /** whether to call again immediately */
      more: boolean
    }
  }
  /** All matching rows, newest first, as JSON lines */
  'GET /api/log/export': {
    query?: {
      /** 0 is all */
      type?: number
      token_name?: string
      /** % and _ are wildcards */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
    }
    stream: unknown
  }
  /** All matching rows of the user, newest first, as JSON lines */
  'GET /api/log/self/export': {
    query?: {
      /** 0 is all */
      type?: number
      token_name?: string
      /** % and _ are wildcards */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
    }
    stream: unknown
  }
  /** One row */
  'GET /api/log/:id': {
    path: {
      id: number
    }
    data: Log
  }
  /** The receipt of a row: its charge, recomputed from its stored fields */
  'GET /api/log/:id/receipt': {
    path: {
      id: number
    }
    data: Receipt
  }
  /** Attempts, failure and receipt of one request. Users see only their own requests */
  'GET /api/log/request/:request_id': {
    path: {
      request_id: string
    }
    data: RequestTrace
  }
  /** Verifies that each user's balance equals entries minus charges */
  'GET /api/ledger/verify': {
    data: {
      equal: boolean
      users: number
      /** sum of all balances */
      quota: number
      /** sum of all entries */
      entries: number
      /** sum of all charges */
      charges: number
      differences: {
        user_id: number
        username: string
        /** the balance */
        quota: number
        /** the balance according to the books */
        expected: number
        /** the held quota in the user's row */
        held_quota: number
        /** the sum of the processes' reserves */
        expected_held: number
      }[]
      /** other rows with a wrong sum or without their entry; at most 100 of each kind */
      rows: {
        table: string
        /** row id */
        id: string
        /** the sum that differs, or the entry that is missing */
        what: string
        found: number
        expected: number
        /** the owner of the row; 0 if it has none */
        user_id: number
      }[]
    }
  }
  /** Actions of administrators, newest first */
  'GET /api/audit': {
    query?: {
      /** a user name, or a user id */
      actor?: string
      /** an action, or the part before its dot: user.create, user.update, user.manage, user.quota, user.delete, option.set, option.reset, channel.create, channel.copy, channel.update, channel.status, channel.tag, channel.delete, channel.repair, channel.test, channel.balance, channel.balances, channel.models, token.create, token.update, token.status, token.delete, redemption.create, redemption.read, redemption.update, redemption.status, redemption.delete, redemption.redeem, team.create, team.update, team.quota, team.member, team.key, team.delete, limit.set, limit.remove, notice.create, notice.update, notice.delete, notice.test, notice.retry, notice.threshold, api-key.create, api-key.update, api-key.revoke, batch.cancel, file.delete, payment.replay, log.clear, log.archive, ledger.repair, job.start, import.run, import.undo, export.run */
      action?: string
      /** an object such as `channel:7`, or a kind of objects */
      object?: string
      /** unix seconds, inclusive */
      start_timestamp?: number
      /** unix seconds, inclusive */
      end_timestamp?: number
      /** only smaller ids; for the next page, pass the last id */
      before_id?: number
      /** only larger ids, oldest first */
      after_id?: number
      /** 10 if absent, at most 1000 */
      page_size?: number
    }
    data: AuditEntry[]
  }
  /** Creates an account; signs in only on request */
  'POST /api/user/register': {
    query?: {
      /** bot check token from the browser; ignored while the check is disabled */
      turnstile?: string
      /** also sign in, if sign-in by password is enabled; the reply is that of a login */
      answer?: 'session'
    }
    body: {
      /** 1 to 12 characters */
      username: string
      /** 8 to 20 characters */
      password: string
      /** the password again */
      password2?: string
      /** required if email verification is on; otherwise not stored */
      email?: string
      /** the code from the verification email */
      verification_code?: string
      /** invite code of another user */
      aff_code?: string
    }
    data: User
  }
  /** Signs in by name or email address, and sets the session cookie */
  'POST /api/user/login': {
    query?: {
      /** bot check token from the browser; ignored while the check is disabled */
      turnstile?: string
    }
    body: {
      username: string
      password: string
    }
    data: User
  }
  /** Ends the session */
  'GET /api/user/logout': {}
  /** Emails a code to verify an address, for registration or binding */
  'GET /api/verification': {
    query?: {
      email?: string
      /** bot check token from the browser; ignored while the check is disabled */
      turnstile?: string
    }
  }
  /** Mails a link to set a new password */
  'GET /api/reset_password': {
    query?: {
      email?: string
      /** bot check token from the browser; ignored while the check is disabled */
      turnstile?: string
    }
  }
  /** Redeems a mailed link and returns the new password */
  'POST /api/user/reset': {
    body: {
      email: string
      /** from the link */
      token: string
      /** also delete all API keys */
      revoke_keys?: boolean
    }
    data: string
  }
  /** Your account */
  'GET /api/user/self': {
    data: User
  }
  /** Changes the fields that are not empty; a new password ends all other sessions, revokes the access token, and requires the current password */
  'PUT /api/user/self': {
    body: {
      /** 1 to 12 characters */
      username?: string
      /** up to 20 characters */
      display_name?: string
      /** language of mails to you: zh, en, or a locale such as zh-CN; other values are ignored. A sign-in sets it from Accept-Language */
      language?: string
      /** 8 to 20 characters, or up to the option PasswordLengthMax; an access token cannot set it */
      password?: string
      /** required if the sign-in is older than ten minutes */
      current_password?: string
      /** with a new password: also delete all API keys */
      revoke_keys?: boolean
    }
  }
  /** Deletes your account */
  'DELETE /api/user/self': {}
  /** The user of an access token; for programs that do not know their user id yet */
  'GET /api/user/identity': {
    data: {
      id: number
      username: string
      role: number
    }
  }
  /** Confirms the current password. For ten minutes, this session may change credentials, as after a sign-in */
  'POST /api/user/self/confirm': {
    body: {
      /** the current password */
      password: string
    }
  }
  /** Creates a system access token and revokes the previous one. A session requires a sign-in within the last ten minutes */
  'GET /api/user/token': {
    data: string
  }
  /** Your invite code */
  'GET /api/user/aff': {
    data: string
  }
  /** Transfers invite earnings to the balance; with an Idempotency-Key only once */
  'POST /api/user/aff_transfer': {
    header?: {
      /** a text of your choice, up to 255 characters. The same key with the same body transfers nothing; with another body it is rejected. Keys belong to one user; they never expire */
      'idempotency-key'?: string
    }
    body: {
      quota: number
    }
  }
  /** Stores an email address verified by a mailed code; requires a sign-in within the last ten minutes */
  'GET /api/oauth/email/bind': {
    query?: {
      email?: string
      code?: string
    }
  }
  /** Stores an email address verified by a mailed code. For programs, which send the current password */
  'PUT /api/user/self/email': {
    body: {
      email: string
      /** of GET /api/verification */
      code: string
      /** required if the sign-in is older than ten minutes */
      current_password?: string
    }
  }
  /** Your management keys, newest first, including revoked keys */
  'GET /api/api-key/': {
    query?: {
      /** from 1 */
      p?: number
      page_size?: number
      /** for root: the keys of all users */
      everybody?: boolean
    }
    data: {
      items: ManagementKey[]
      total: number
      page: number
      page_size: number
    }
  }
  /** Creates a management key, which is returned only once */
  'POST /api/api-key/': {
    body: {
      name: string
      /**
       * noun:verb, such as codes:create or channels:read; * in either position means all
       *
       * @maxItems 100
       */
      scopes: string[]
      quota_max?: number | null
      /** unix seconds; -1: never */
      expires_at?: number
    }
    data: ManagementKey & {
      /** returned only by this call */
      key: string
    }
  }
  /** Revokes a management key permanently */
  'DELETE /api/api-key/:id': {
    path: {
      id: number
    }
    data: ManagementKey
  }
  /** All users, newest first; deleted users have DeletedAt */
  'GET /api/user/': {
    query?: {
      p?: number
      page_size?: number
      /** the column to sort by */
      sort?: 'id' | 'username' | 'group' | 'quota' | 'used_quota' | 'request_count' | 'aff_count' | 'role' | 'status'
      /** used only with sort; absent: desc */
      order?: 'asc' | 'desc'
    }
    data: {
      items: User[]
      total: number
      page: number
      page_size: number
    }
  }
  /** Creates a common user; with answer=record, a user with the given role */
  'POST /api/user/': {
    query?: {
      /** return the record itself */
      answer?: 'record'
      /** with answer=record: the initial balance */
      quota?: number
      /** with answer=record */
      group?: string
    }
    body: {
      /** 1 to 12 characters */
      username: string
      /** 8 to 20 characters */
      password: string
      /** up to 20 characters; if empty, the user name */
      display_name?: string
      /** must be below your own; ignored without answer=record */
      role?: number
    }
    data: User
  }
  /** Changes a user of a lower level; absent fields are kept */
  'PUT /api/user/': {
    body: {
      id: number
      /** 1 to 12 characters */
      username?: string
      /** up to 20 characters */
      display_name?: string
      group?: string
      /** the new balance */
      quota?: number
      /** how far below zero the balance may go */
      debt_limit?: number
      /** empty: unchanged */
      password?: string
      /** your current password, to change the password of your own account */
      current_password?: string
      /** with a new password: also delete the user's API keys */
      revoke_keys?: boolean
      /** must be below your own; not changed by this call */
      role?: number
    }
  }
  /** Users by part of name, display name or email address, or by id, and by group */
  'GET /api/user/search': {
    query?: {
      p?: number
      page_size?: number
      /** the column to sort by */
      sort?: 'id' | 'username' | 'group' | 'quota' | 'used_quota' | 'request_count' | 'aff_count' | 'role' | 'status'
      /** used only with sort; absent: desc */
      order?: 'asc' | 'desc'
      keyword?: string
      group?: string
      /** 1, 10 or 100 */
      role?: number
      /** 1 enabled, 2 disabled; deleted users have none */
      status?: number
      /** true: only deleted users; false: only others */
      deleted?: boolean
    }
    data: {
      items: User[]
      total: number
      page: number
      page_size: number
    }
  }
  /** The user with exactly this name */
  'GET /api/user/by-name': {
    query: {
      username: string
    }
    data: User
  }
  /** One user of a lower level */
  'GET /api/user/:id': {
    path: {
      id: number
    }
    data: User
  }
  /** Deletes a user permanently */
  'DELETE /api/user/:id': {
    path: {
      id: number
    }
  }
  /** Enables, disables, deletes, promotes or demotes a user */
  'POST /api/user/manage': {
    query?: {
      /** return the record itself */
      answer?: 'record'
    }
    body: {
      id: number
      /** enable, disable, delete, promote, demote */
      action: string
    }
    data: User
  }
  /** Adds to or subtracts from a user's balance; with an Idempotency-Key only once */
  'POST /api/user/:id/quota': {
    path: {
      id: number
    }
    header?: {
      /** a text of your choice, up to 255 characters. The same key with the same body returns the current user and changes nothing; with another body it is rejected. Keys belong to one user; they never expire */
      'idempotency-key'?: string
    }
    body: {
      /** quota; negative: to subtract */
      by: number
    }
    data: User
  }
  /** Starts a sign-in by a provider; data is the `state` for the sign-in URL of the provider */
  'GET /api/oauth/state': {
    query?: {
      aff?: string
    }
    data: string
  }
  /** Signs in with GitHub, or binds the account if already signed in (message: bind) */
  'GET /api/oauth/github': {
    query?: {
      code?: string
      state?: string
      error?: string
      error_description?: string
    }
    data: User
  }
  /** Signs in with Linux DO, or binds the account if already signed in (message: bind) */
  'GET /api/oauth/linuxdo': {
    query?: {
      code?: string
      state?: string
      error?: string
      error_description?: string
    }
    data: User
  }
  /** Signs in with a code from the WeChat account */
  'GET /api/oauth/wechat': {
    query?: {
      code?: string
    }
    data: User
  }
  /** Binds a WeChat account to the signed-in user */
  'GET /api/oauth/wechat/bind': {
    query?: {
      code?: string
    }
  }
  /** Signs in the user bound to a Telegram account */
  'GET /api/oauth/telegram/login': {
    query?: {
      id?: string
      first_name?: string
      last_name?: string
      username?: string
      photo_url?: string
      auth_date?: string
      hash?: string
      lang?: string
    }
    data: User
  }
  /** Binds a Telegram account to the signed-in user */
  'GET /api/oauth/telegram/bind': {
    query?: {
      id?: string
      first_name?: string
      last_name?: string
      username?: string
      photo_url?: string
      auth_date?: string
      hash?: string
      lang?: string
    }
  }
  /** Starts a sign-in with OpenID Connect; data is the URL to open in the browser */
  'GET /api/oauth/oidc/start': {
    query?: {
      aff?: string
    }
    data: string
  }
  /** Signs in with OpenID Connect, or binds the account if already signed in (message: bind) */
  'GET /api/oauth/oidc': {
    query?: {
      code?: string
      state?: string
      error?: string
      error_description?: string
    }
    data: User
  }
  /** Every option with its effective value, without secrets */
  'GET /api/option/': {
    data: {
      key: string
      /** always text */
      value: string
      /** value used while none is stored */
      default: string
      /** value that a new database stores; absent: none */
      initial?: string
    }[]
  }
  /** Saves one option */
  'PUT /api/option/': {
    body: {
      key: string
      value?: string
      was?: string
    }
  }
  /** The names of the secret options that have a value */
  'GET /api/option/secrets': {
    data: string[]
  }
  /** Deletes the operator’s ModelRatio */
  'POST /api/option/rest_model_ratio': {}
  /** Deletes stored values, so that the defaults apply */
  'POST /api/option/reset': {
    body: {
      /**
       * @minItems 1
       * @maxItems 1000
       */
      keys: string[]
    }
  }
  /** Saves several options, all or none */
  'PUT /api/option/batch': {
    body: {
      /**
       * @minItems 1
       * @maxItems 1000
       */
      changes: {
        key: string
        value: string
        was?: string
      }[]
    }
  }
  /** The gateway as a document; secrets are references */
  'GET /api/configuration': {
    data: {
      version: 1
      /** options by name; secret ones as env:NAME, file:PATH or command:LINE */
      options?: {
        [k: string]:
          | string
          | number
          | boolean
          | unknown[]
          | {
              [k: string]: unknown
            }
      }
      groups?: {
        /** group of users */
        [k: string]: {
          /** GroupRatio: price multiplier */
          ratio: number
          /** UserUsableGroups: with it, all users may choose the group */
          description?: string
          /** TopupGroupRatio: price multiplier of top-ups */
          topup_ratio?: number
          /** GroupDebtLimit: quota that each user of the group may owe */
          debt?: number
        }
      }
      prices?: {
        /** price of a model */
        [k: string]: {
          /** ModelRatio: 1 is 2 dollars per million prompt tokens */
          ratio?: number
          /** CompletionRatio */
          completion?: number
          /** CacheRatio: cached prompt tokens */
          cache?: number
          /** CacheWriteRatio */
          cache_write?: number
          /** ModelPrice: dollars per call, instead of a ratio */
          per_call?: number
          /** OutputTokensMax: longest reply */
          output_tokens_max?: number
        }
      }
      /** as in a document; the key is a reference */
      channels?: {
        [k: string]: {
          [k: string]: unknown
        }
      }
      teams?: {
        /** team; members must be users of the gateway */
        [k: string]: {
          /** user name; required for a new team */
          owner?: string
          group?: string
          /** false: its keys are rejected */
          enabled?: boolean
          /** roles by user name, without the owner; --prune removes other members and their keys */
          members?: {
            /** role */
            [k: string]: 'admin' | 'member'
          }
        }
      }
      /** Items: limit */
      limits?: {
        /** kind of subject */
        subject: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
        /** name of the user, token, group, model or channel; an address; for a member, the user; * means each subject */
        name: string
        /** for a token: user name of its owner */
        user?: string
        /** for a token or member: name of the team */
        team?: string
        /** for a channel-key: its position from 1, or its digest, as tollgate limit list shows it */
        channel_key?: number | string
        /** what is counted; 500000 quota are one US dollar */
        measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
        /** length of a window; omitted for concurrent */
        period?: 'none' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
        /** maximum per window */
        amount: number
        /** IANA name; with it, windows follow the calendar of this time zone instead of rolling */
        time_zone?: string
        /** action for a request above the limit; default: reject */
        action?: 'reject' | 'queue' | 'notify'
        /** for queue: the maximum wait */
        wait_seconds?: number
      }[]
      management_keys?: {
        /** user name of its owner */
        user: string
        name: string
        /**
         * such as codes:create
         *
         * @minItems 1
         */
        scopes: string[]
        /** maximum quota that the key may grant in total; omitted: unlimited */
        quota_max?: number
        /** date, or date and time with its zone (ISO 8601); omitted: never */
        expires_at?: string
      }[]
    }
  }
  /** The changes for a document, and the versions of current values */
  'POST /api/configuration/plan': {
    body: {
      document: TollgateConfiguration
      /** in each section of the document, delete entries that the section does not list */
      prune?: boolean
    }
    data: ConfigurationPlan
  }
  /** Makes the planned changes, all or none */
  'POST /api/configuration/apply': {
    body: {
      document: TollgateConfiguration
      /** in each section of the document, delete entries that the section does not list */
      prune?: boolean
      plan: ConfigurationPlan
    }
    data: ConfigurationPlan
  }
  /** Announcement, as Markdown */
  'GET /api/notice': {
    data: string
  }
  /** The about page: Markdown, HTML or an address */
  'GET /api/about': {
    data: string
  }
  /** The home page: Markdown, HTML or an address */
  'GET /api/home_page_content': {
    data: string
  }
  /** One page of channels, or of tags in tag mode. The first page is 0 */
  'GET /api/channel/': {
    query?: {
      p?: number
      page_size?: number
      /** newest first, instead of by priority */
      id_sort?: boolean
      /** a page contains tags, each with all its channels */
      tag_mode?: boolean
    }
    data: Channel[]
  }
  /** Creates one channel for each line of the key. With answer=record, creates only one channel */
  'POST /api/channel/': {
    query?: {
      /** return the record itself */
      answer?: 'record'
    }
    body: {
      name?: string
      base_url?: string
      other?: string
      models?: string
      group?: string
      /** names, or their comma list; takes precedence over `group` */
      groups?: string | string[]
      /** JSON text */
      model_mapping?: string
      /** JSON text */
      status_code_mapping?: string
      /** at least -999 */
      priority?: number
      /** at least 0 */
      weight?: number
      tag?: string
      test_model?: string
      openai_organization?: string
      /** 1 if it may be disabled automatically, else 0 */
      auto_ban?: number
      /** JSON text */
      setting?: string
      /** 1 enabled, 2 disabled */
      status?: number
      type: number
      key?: string
    }
    data: Channel
  }
  /** Changes the sent fields; an empty key leaves the key unchanged */
  'PUT /api/channel/': {
    query?: {
      /** empty texts clear `other` and `setting`; absent: they are ignored */
      empty?: 'clear'
    }
    body: {
      name?: string
      base_url?: string
      other?: string
      models?: string
      group?: string
      /** names, or their comma list; takes precedence over `group` */
      groups?: string | string[]
      /** JSON text */
      model_mapping?: string
      /** JSON text */
      status_code_mapping?: string
      /** at least -999 */
      priority?: number
      /** at least 0 */
      weight?: number
      tag?: string
      test_model?: string
      openai_organization?: string
      /** 1 if it may be disabled automatically, else 0 */
      auto_ban?: number
      /** JSON text */
      setting?: string
      /** 1 enabled, 2 disabled */
      status?: number
      id: number
      type?: number
      key?: string
    }
    data: Channel
  }
  /** One page of channels, or of tags in tag mode, by several filters, with the total */
  'GET /api/channel/page': {
    query?: {
      /** from 1 */
      p?: number
      page_size?: number
      /** part of a name, or an id */
      keyword?: string
      group?: string
      /** part of the list of models */
      model?: string
      tag?: string
      status?: number
      type?: number
      /** the column to sort by */
      sort?:
        | 'id'
        | 'name'
        | 'type'
        | 'status'
        | 'response_time'
        | 'used_quota'
        | 'balance'
        | 'priority'
        | 'weight'
        | 'tag'
        | 'created_time'
      /** used only with sort; absent: desc */
      order?: 'asc' | 'desc'
      /** comma list of the ids to return */
      ids?: string
      /** newest first, instead of by priority */
      id_sort?: boolean
      /** a page contains tags, each with all its channels */
      tag_mode?: boolean
    }
    data: {
      items: Channel[]
      total: number
      page: number
      page_size: number
    }
  }
  /** Channels whose id or key is the keyword, or whose name contains it, filtered by model and group */
  'GET /api/channel/search': {
    query?: {
      keyword?: string
      /** empty or null: any */
      group?: string
      model?: string
      /** newest first, instead of by priority */
      id_sort?: boolean
      /** a page contains tags, each with all its channels */
      tag_mode?: boolean
    }
    data: Channel[]
  }
  /** One channel */
  'GET /api/channel/:id': {
    path: {
      id: number
    }
    data: Channel
  }
  /** Deletes one channel permanently */
  'DELETE /api/channel/:id': {
    path: {
      id: number
    }
  }
  /** Deletes all disabled channels; returns their number */
  'DELETE /api/channel/disabled': {
    data: number
  }
  /** Deletes the listed channels; returns their number */
  'POST /api/channel/batch': {
    body: {
      ids: number[]
    }
    data: number
  }
  /** Repairs the abilities of all channels; returns the number of channels plus the number of repairs */
  'POST /api/channel/fix': {
    query?: {
      /** return the record itself */
      answer?: 'record'
    }
    data:
      | number
      | {
          channels: number
          repaired: number
        }
  }
  /** Creates all listed channels, or none if one is invalid; returns the errors */
  'POST /api/channel/several': {
    query?: {
      /** create none, only validate */
      check?: boolean
    }
    body: {
      channels: {
        /** text */
        name?: unknown
        /** whole number */
        type?: unknown
        /** text */
        key?: unknown
        /** text */
        models?: unknown
        /** text */
        base_url?: unknown
        /** text */
        other?: unknown
        /** text */
        group?: unknown
        /** text */
        model_mapping?: unknown
        /** text */
        status_code_mapping?: unknown
        /** whole number */
        priority?: unknown
        /** whole number */
        weight?: unknown
        /** text */
        tag?: unknown
        /** text */
        test_model?: unknown
        /** text */
        openai_organization?: unknown
        /** whole number */
        auto_ban?: unknown
        /** text */
        setting?: unknown
        /** whole number */
        status?: unknown
      }[]
    }
    data: {
      created: Channel[]
      refused: {
        /** position in the list, from 0 */
        at: number
        code: string
        kind:
          | 'invalid'
          | 'conflict'
          | 'forbidden'
          | 'not_found'
          | 'unauthenticated'
          | 'insufficient'
          | 'rate_limited'
          | 'unavailable'
          | 'too_large'
          | 'not_implemented'
          | 'upstream'
          | 'environment'
        params: {
          [k: string]: string | number | boolean | null
        }
        message: string
      }[]
    }
  }
  /** Enables or disables all listed channels, or none; returns their number */
  'POST /api/channel/batch/status': {
    body: {
      ids: number[]
      /** 1 enabled, 2 disabled */
      status: number
    }
    data: number
  }
  /** Copies a channel with its key, under another name */
  'POST /api/channel/:id/copy': {
    path: {
      id: number
    }
    body: {
      /** absent: an unused name */
      name?: string
    }
    data: Channel
  }
  /** Sets all channels of a tag to enabled */
  'POST /api/channel/tag/enabled': {
    body: {
      tag: string
    }
  }
  /** Sets all channels of a tag to disabled */
  'POST /api/channel/tag/disabled': {
    body: {
      tag: string
    }
  }
  /** Changes fields of all channels of a tag; an empty new_tag removes the tag */
  'PUT /api/channel/tag': {
    body: {
      tag?: string
      new_tag?: string
      models?: string
      /** names, or their comma list; takes precedence over `group` */
      groups?: string | string[]
      /** JSON text */
      model_mapping?: string
      /** at least -999 */
      priority?: number
      /** at least 0 */
      weight?: number
    }
  }
  /** Sets the tag of the listed channels; null removes the tag. Returns the number of channels */
  'POST /api/channel/batch/tag': {
    body: {
      ids: number[]
      tag?: string | null
    }
    data: number
  }
  /** All problems: circuits that are not closed, and disabled channels */
  'GET /api/channel/health': {
    data: {
      circuits: ChannelCircuit[]
      disabled: DisabledChannel[]
    }
  }
  /** The last 24 hours of each channel, and the models that no other channel serves */
  'GET /api/channel/activity': {
    data: ChannelActivity[]
  }
  /** The health of one channel, and its history, newest first */
  'GET /api/channel/:id/health': {
    path: {
      id: number
    }
    data: {
      channel_id: number
      channel_name: string
      status: number
      /** enabled, and without an open circuit */
      healthy: boolean
      circuits: ChannelCircuit[]
      disabled: DisabledChannel | null
      events: ChannelEvent[]
    }
  }
  /** Sends one small request through a channel */
  'GET /api/channel/test/:id': {
    path: {
      id: number
    }
    query?: {
      model?: string
      /** digest of one of several keys */
      key?: string
      /** return the record itself */
      answer?: 'record'
    }
    /** result of the test, if answer=record */
    data: {
      success: boolean
      /** error message */
      message: string
      /** seconds */
      time: number
      model: string
    }
    answer: {
      success: boolean
      message: string
      /** seconds */
      time?: number
      /** result of the test, if answer=record */
      data?: {
        success: boolean
        /** error message */
        message: string
        /** seconds */
        time: number
        model: string
      }
    }
  }
  /** Starts a test of all channels, one after the other */
  'GET /api/channel/test': {}
  /** Queries the balance of the account at the provider */
  'GET /api/channel/update_balance/:id': {
    path: {
      id: number
    }
    answer: {
      success: boolean
      message: string
      /** in the provider's currency */
      balance?: number
    }
  }
  /** Queries the balances of all enabled channels; disables channels and keys with an empty balance */
  'GET /api/channel/update_balance': {}
  /** All built-in model names. A name is repeated for each kind of channel that has it */
  'GET /api/channel/models': {
    data: {
      id: string
      object: string
      created: number
      owned_by: string
      root: string
      parent: null
      permission: {
        [k: string]: unknown
      }[]
    }[]
  }
  /** Every kind of upstream: its channel fields, and the models of a new channel */
  'GET /api/channel/types': {
    data: ChannelKind[]
  }
  /** The models of a channel's upstream */
  'GET /api/channel/fetch_models/:id': {
    path: {
      id: number
    }
    data: string[]
  }
  /** The models of an upstream by its address; makes the gateway call an address of the caller's choice */
  'POST /api/channel/fetch_models': {
    body: {
      base_url?: string
      type: number
      key?: string
    }
    data: string[]
  }
  /** The user's own tokens */
  'GET /api/token/': {
    query?: {
      /** from 0 */
      p?: number
      size?: number
    }
    data: Token[]
  }
  /** Creates a token */
  'POST /api/token/': {
    query?: {
      /** return the record itself */
      answer?: 'record'
      /** reject a name that the owner already uses */
      unique_name?: boolean
      /** for root: the owner */
      user_id?: number
    }
    body: {
      name: string
      /** unix seconds, -1 never */
      expired_time?: number
      remain_quota?: number
      unlimited_quota?: boolean
      model_limits_enabled?: boolean
      /** comma list */
      model_limits?: string
      /** one address or range per line */
      allow_ips?: string
      /** empty: the owner's group */
      group?: string
      /** store responses for later requests that continue them; default of a new token: true */
      store_responses?: boolean
    }
    data: Token
  }
  /** Changes a token; absent fields are kept */
  'PUT /api/token/': {
    query?: {
      /** for root: also tokens of other users, without their keys */
      everybody?: boolean
      /** not empty: change only the status */
      status_only?: string
    }
    body: {
      id: number
      name?: string
      status?: number
      /** unix seconds, -1 never */
      expired_time?: number
      remain_quota?: number
      unlimited_quota?: boolean
      model_limits_enabled?: boolean
      /** comma list */
      model_limits?: string
      /** one address or range per line */
      allow_ips?: string
      /** empty: the owner's group */
      group?: string
      /** store responses for later requests that continue them; default of a new token: true */
      store_responses?: boolean
    }
    data: Token
  }
  /** A page of the user's own tokens, with the total; root also sees tokens of other users */
  'GET /api/token/page': {
    query?: {
      /** from 1 */
      p?: number
      page_size?: number
      /** the column to sort by */
      sort?:
        'id' | 'name' | 'status' | 'used_quota' | 'remain_quota' | 'created_time' | 'accessed_time' | 'expired_time'
      /** used only with sort; absent: desc */
      order?: 'asc' | 'desc'
      keyword?: string
      /** for root; 0 is all users */
      user_id?: number
    }
    data: {
      items: Token[]
      total: number
      page: number
      page_size: number
    }
  }
  /** The user's own tokens by parts of name and key */
  'GET /api/token/search': {
    query?: {
      keyword?: string
      token?: string
    }
    data: Token[]
  }
  /** The user's own tokens by parts of name and key. The key is in the body, so that no access log contains it */
  'POST /api/token/find': {
    body: {
      keyword?: string
      token?: string
    }
    data: Token[]
  }
  /** One of the user's own tokens; root may also get a token of another user */
  'GET /api/token/:id': {
    path: {
      id: number
    }
    query?: {
      /** for root: also tokens of other users, without their keys */
      everybody?: boolean
    }
    data: Token
  }
  /** Deletes a token permanently */
  'DELETE /api/token/:id': {
    path: {
      id: number
    }
    query?: {
      /** for root: also tokens of other users, without their keys */
      everybody?: boolean
    }
  }
  /** The teams of the caller, newest first; for administrators also the teams that they may manage */
  'GET /api/team/': {
    query?: {
      /** from 1 */
      p?: number
      page_size?: number
      keyword?: string
      /** for administrators: return only teams of which they are members */
      own?: boolean
    }
    data: {
      items: Team[]
      total: number
      page: number
      page_size: number
    }
  }
  /** Creates a team owned by the caller */
  'POST /api/team/': {
    body: {
      name: string
    }
    data: Team
  }
  /** The team with a name */
  'GET /api/team/by-name': {
    query: {
      name: string
    }
    data: Team
  }
  /** One team */
  'GET /api/team/:id': {
    path: {
      id: number
    }
    data: Team
  }
  /** Changes a team; absent fields are kept */
  'PUT /api/team/:id': {
    path: {
      id: number
    }
    body: {
      name?: string
      /** only by administrators of the gateway */
      group?: string
      /** 1 enabled, 2 disabled; only by administrators of the gateway */
      status?: number
    }
    data: Team
  }
  /** Deletes a team and its keys. The owner gets the balance of the team; the log rows stay */
  'DELETE /api/team/:id': {
    path: {
      id: number
    }
    data: Team
  }
  /** Transfers quota from the balance of the caller to the team; for owner and admins */
  'POST /api/team/:id/transfer': {
    path: {
      id: number
    }
    header?: {
      /** a text of your choice, up to 255 characters. The same key with the same body transfers nothing more; with another body it is rejected. Keys belong to one user; they never expire */
      'idempotency-key'?: string
    }
    body: {
      quota: number
    }
    data: Team
  }
  /** Redeems a code for the team */
  'POST /api/team/:id/topup': {
    path: {
      id: number
    }
    body: {
      key: string
    }
    /** quota added */
    data: number
  }
  /** Sets the balance of a team */
  'PUT /api/team/:id/quota': {
    path: {
      id: number
    }
    body: {
      quota: number
    }
  }
  /** Joins a team by an invite code */
  'POST /api/team/join': {
    body: {
      code: string
    }
    data: Team
  }
  /** Leaves a team; your team keys are deleted */
  'POST /api/team/:id/leave': {
    path: {
      id: number
    }
  }
  /** The members of a team. Owner, admins and managing administrators get all members; a caller with the role `member` gets only their own entry */
  'GET /api/team/:id/members': {
    path: {
      id: number
    }
    data: TeamMember[]
  }
  /** Changes the role of a member; only for the owner, or an administrator of the gateway who may manage the owner. To transfer the ownership, set the role to owner */
  'PUT /api/team/:id/members/:user_id': {
    path: {
      id: number
      user_id: number
    }
    body: {
      role: 'owner' | 'admin' | 'member'
    }
    data: TeamMember[]
  }
  /** Removes a member and deletes their team keys */
  'DELETE /api/team/:id/members/:user_id': {
    path: {
      id: number
      user_id: number
    }
  }
  /** Valid invites, without their codes */
  'GET /api/team/:id/invites': {
    path: {
      id: number
    }
    data: TeamInvite[]
  }
  /** Creates an invite that one user can use. Only this reply contains the code */
  'POST /api/team/:id/invites': {
    path: {
      id: number
    }
    body: {
      /** default: member; only the owner, or an administrator of the gateway who may manage the owner, can invite an admin */
      role?: 'admin' | 'member'
      /** hours of validity: 1 to 720, absent: 72 */
      hours?: number
    }
    data: TeamInvite
  }
  /** Deletes an unused invite */
  'DELETE /api/team/:id/invites/:invite_id': {
    path: {
      id: number
      invite_id: number
    }
  }
  /** Keys of a team. The key itself is included only if it is your own */
  'GET /api/team/:id/keys': {
    path: {
      id: number
    }
    query?: {
      /** from 1 */
      p?: number
      page_size?: number
      keyword?: string
    }
    data: {
      items: Token[]
      total: number
      page: number
      page_size: number
    }
  }
  /** Creates a key of a team */
  'POST /api/team/:id/keys': {
    path: {
      id: number
    }
    body: {
      name: string
      /** unix seconds, -1 never */
      expired_time?: number
      remain_quota?: number
      unlimited_quota?: boolean
      model_limits_enabled?: boolean
      /** comma list */
      model_limits?: string
      /** one address or range per line */
      allow_ips?: string
      /** empty: the owner's group */
      group?: string
      /** store responses for later requests that continue them; default of a new token: true */
      store_responses?: boolean
    }
    data: Token
  }
  /** One key of a team */
  'GET /api/team/:id/keys/:token_id': {
    path: {
      id: number
      token_id: number
    }
    data: Token
  }
  /** Changes a key of a team; absent fields are kept */
  'PUT /api/team/:id/keys/:token_id': {
    path: {
      id: number
      token_id: number
    }
    body: {
      name?: string
      /** 1 enabled, 2 disabled */
      status?: number
      /** unix seconds, -1 never */
      expired_time?: number
      remain_quota?: number
      unlimited_quota?: boolean
      model_limits_enabled?: boolean
      /** comma list */
      model_limits?: string
      /** one address or range per line */
      allow_ips?: string
      /** empty: the owner's group */
      group?: string
      /** store responses for later requests that continue them; default of a new token: true */
      store_responses?: boolean
    }
    data: Token
  }
  /** Deletes a key of a team permanently */
  'DELETE /api/team/:id/keys/:token_id': {
    path: {
      id: number
      token_id: number
    }
  }
  /** Log rows of a team, newest first */
  'GET /api/team/:id/logs': {
    path: {
      id: number
    }
    query?: {
      /** from 1 */
      p?: number
      page_size?: number
      /** 0 is all */
      type?: number
      token_name?: string
      /** % and _ are wildcards */
      model_name?: string
      group?: string
      request_id?: string
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
      /** for owner and admins: only keys of this member; 0: all keys */
      member_id?: number
    }
    data: {
      items: Log[]
      total: number
      page: number
      page_size: number
    }
  }
  /** The usage and rate of a team */
  'GET /api/team/:id/logs/stat': {
    path: {
      id: number
    }
    query?: {
      /** 0 is all */
      type?: number
      token_name?: string
      /** % and _ are wildcards */
      model_name?: string
      group?: string
      request_id?: string
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
      /** for owner and admins: only keys of this member; 0: all keys */
      member_id?: number
    }
    data: LogStat
  }
  /** The attempts and receipt of one request of a team */
  'GET /api/team/:id/logs/request/:request_id': {
    path: {
      id: number
      request_id: string
    }
    data: RequestTrace
  }
  /** Dashboard data of a team */
  'GET /api/team/:id/dashboard': {
    path: {
      id: number
    }
    query?: {
      /** absent: 24, unless start_timestamp is set */
      last_hours?: number
      /** unix seconds; replaces last_hours */
      start_timestamp?: number
      /** unix seconds, inclusive; absent: now */
      end_timestamp?: number
      by?: 'model' | 'member' | 'token' | 'group'
      /** metric by which groups are ranked */
      metric?: 'quota' | 'count' | 'tokens'
      /** for owner and admins: only keys of this member; 0: all keys */
      member_id?: number
    }
    data: Dashboard
  }
  /** All limits; users see only the limits of their own keys and account */
  'GET /api/limit/': {
    query?: {
      subject?: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
      /** the reply also includes the default limits that apply to this subject */
      subject_id?: string
    }
    data: Limit[]
  }
  /** Sets all limits or none. Each limit replaces an existing one with the same subject, measure and period */
  'PUT /api/limit/': {
    body: {
      /**
       * @minItems 1
       * @maxItems 100
       */
      limits: {
        /** kind of subject */
        subject: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
        /** id of a token, user or channel; channel/position or channel/digest of a key; team/user (ids) of a member; name of a group or model; an address; * means each subject */
        subject_id: string
        /** what is counted */
        measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
        /** length of a window; none for concurrent requests */
        period: 'none' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
        /** maximum per window, at least 1 */
        amount: number
        /** IANA name of the time zone of calendar windows */
        time_zone?: string
        /** default: reject */
        action?: 'reject' | 'queue' | 'notify'
        /** for queue, 1 to 300 */
        wait_seconds?: number
      }[]
    }
    data: Limit[]
  }
  /** The usage of each limit */
  'GET /api/limit/status': {
    query?: {
      subject?: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
      /** the reply also includes the default limits that apply to this subject */
      subject_id?: string
    }
    data: LimitStatus[]
  }
  /** The limits that upstreams report in reply headers */
  'GET /api/limit/learned': {
    data: {
      channel_id: number
      /** digest of the key, if the channel has several */
      key_digest: string
      /** requests or tokens */
      measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
      /** 0: not reported */
      amount: number
      remaining: number
      /** unix seconds; 0: not reported */
      resets_at: number
      seen_at: number
    }[]
  }
  /** Removes a limit */
  'DELETE /api/limit/:id': {
    path: {
      id: number
    }
    data: Limit
  }
  /** Notice targets: your own, or those of the gateway */
  'GET /api/notify/': {
    query?: {
      /** for administrators: targets of the gateway instead of your own */
      gateway?: boolean
    }
    data: NoticeTarget[]
  }
  /** Adds a notice target */
  'POST /api/notify/': {
    body: {
      /** how notices are delivered */
      kind: 'webhook' | 'mail' | 'telegram' | 'feishu' | 'bark' | 'slack'
      name: string
      settings: {
        /** webhook, feishu, slack: the address to post to */
        url?: string
        /** webhook: the key that signs requests; feishu: the secret of a bot that checks signatures */
        secret?: string
        /** mail: the address, only for targets of the gateway; a user's mail goes to the address of the account */
        address?: string
        /** telegram: the token of the bot */
        bot_token?: string
        /** telegram: the chat, or @name of a channel */
        chat_id?: string
        /** bark: the key of the device */
        device_key?: string
        /** telegram, bark: the address of a server, if it is not the official one */
        base_url?: string
      }
      /**
       * @maxItems 9
       *
       * Items: an event
       */
      events: (
        | 'channel.disabled'
        | 'channel.enabled'
        | 'circuit.opened'
        | 'job.failed'
        | 'ledger.mismatch'
        | 'balance.reached'
        | 'budget.reached'
        | 'payment.completed'
        | 'sign-in.new'
      )[]
      /** of the texts; default: en */
      language?: 'en' | 'zh'
      enabled?: boolean
      /** create a target of the gateway; root only */
      gateway?: boolean
    }
    data: NoticeTarget
  }
  /** Changes a notice target; absent settings are kept */
  'PUT /api/notify/:id': {
    path: {
      id: number
    }
    body: {
      name?: string
      settings?: {
        /** webhook, feishu, slack: the address to post to */
        url?: string
        /** webhook: the key that signs requests; feishu: the secret of a bot that checks signatures */
        secret?: string
        /** mail: the address, only for targets of the gateway; a user's mail goes to the address of the account */
        address?: string
        /** telegram: the token of the bot */
        bot_token?: string
        /** telegram: the chat, or @name of a channel */
        chat_id?: string
        /** bark: the key of the device */
        device_key?: string
        /** telegram, bark: the address of a server, if it is not the official one */
        base_url?: string
      }
      /**
       * @maxItems 9
       *
       * Items: an event
       */
      events?: (
        | 'channel.disabled'
        | 'channel.enabled'
        | 'circuit.opened'
        | 'job.failed'
        | 'ledger.mismatch'
        | 'balance.reached'
        | 'budget.reached'
        | 'payment.completed'
        | 'sign-in.new'
      )[]
      /** of the texts; default: en */
      language?: 'en' | 'zh'
      enabled?: boolean
    }
    data: NoticeTarget
  }
  /** Removes a notice target with its deliveries */
  'DELETE /api/notify/:id': {
    path: {
      id: number
    }
    data: NoticeTarget
  }
  /** Sends a test notice immediately; the reply has the result */
  'POST /api/notify/:id/test': {
    path: {
      id: number
    }
    data: NoticeDelivery
  }
  /** Deliveries, newest first */
  'GET /api/notify/deliveries': {
    query?: {
      /** for administrators: targets of the gateway instead of your own */
      gateway?: boolean
      target_id?: number
      state?: 'pending' | 'delivered' | 'failed'
      /** only smaller ids; for the next page, pass the last id */
      before_id?: number
      page_size?: number
    }
    data: NoticeDelivery[]
  }
  /** Makes a failed or pending delivery due immediately */
  'POST /api/notify/deliveries/:id/retry': {
    path: {
      id: number
    }
    data: NoticeDelivery
  }
  /** Thresholds: the percentages of usage at which a balance or a key sends a notice */
  'GET /api/notify/thresholds': {
    query?: {
      /** account of the thresholds: a team, for its members; any user, for administrators */
      user_id?: number
    }
    data: NoticeThreshold[]
  }
  /** Sets the thresholds of a balance or a key: your own, those of a team as its owner or admin, any as administrator */
  'PUT /api/notify/thresholds': {
    body: NoticeThreshold
    data: NoticeThreshold
  }
  /** Codes, newest first */
  'GET /api/redemption/': {
    query?: {
      /** from 1; 0 also means the first page */
      p?: number
      page_size?: number
      /** the column to sort by */
      sort?: 'id' | 'name' | 'status' | 'quota' | 'created_time' | 'redeemed_time'
      /** used only with sort; absent: desc */
      order?: 'asc' | 'desc'
      /** 0: every status */
      status?: number
      /** the whole name */
      name?: string
      /** only smaller ids; for the next page, pass the last id */
      before_id?: number
    }
    data: {
      items: RedemptionCode[]
      total: number
      page: number
      page_size: number
    }
  }
  /** Creates codes, all or none; with an Idempotency-Key only once */
  'POST /api/redemption/': {
    header?: {
      /** a text of your choice, up to 255 characters. The same key with the same body returns the same codes and creates none; with another body it is rejected. Keys belong to one user; they never expire */
      'idempotency-key'?: string
    }
    body: {
      name?: string
      quota: number
      /** 1 to 100 */
      count?: number
      /** number of codes of the whole batch if several calls create it; the same in each of these calls */
      total?: number
    }
    data: string[]
  }
  /** Changes an enabled, unused code; with status_only, enables or disables an unused code */
  'PUT /api/redemption/': {
    query?: {
      /** not empty: change only the status */
      status_only?: string
    }
    body: {
      id: number
      name?: string
      quota?: number
      status?: number
    }
    data: RedemptionCode
  }
  /** Codes by name prefix, or by id */
  'GET /api/redemption/search': {
    query?: {
      /** from 1; 0 also means the first page */
      p?: number
      page_size?: number
      /** the column to sort by */
      sort?: 'id' | 'name' | 'status' | 'quota' | 'created_time' | 'redeemed_time'
      /** used only with sort; absent: desc */
      order?: 'asc' | 'desc'
      /** 0: every status */
      status?: number
      /** the whole name */
      name?: string
      /** only smaller ids; for the next page, pass the last id */
      before_id?: number
      keyword?: string
    }
    data: {
      items: RedemptionCode[]
      total: number
      page: number
      page_size: number
    }
  }
  /** One code */
  'GET /api/redemption/:id': {
    path: {
      id: number
    }
    data: RedemptionCode
  }
  /** Deletes a code */
  'DELETE /api/redemption/:id': {
    path: {
      id: number
    }
  }
  /** The codes that calls with these Idempotency-Keys created, up to the first unknown key */
  'POST /api/redemption/made': {
    body: {
      name: string
      quota: number
      /** size of the whole batch */
      total: number
      /** the Idempotency-Key of each call, in order; up to 1000 */
      idempotency_keys: string[]
    }
    data: {
      codes: string[]
      /** number of used codes */
      used: number
      /** number of disabled codes */
      disabled: number
      /** number of deleted codes */
      deleted: number
    }
  }
  /** Deletes all codes of a name; returns their number */
  'DELETE /api/redemption/named': {
    query: {
      /** the whole name */
      name: string
    }
    data: number
  }
  /** Price of a top-up */
  'POST /api/user/amount': {
    body: {
      /** whole dollars; or quota, if the gateway does not show quota in dollars */
      amount: number
      /** ignored */
      top_up_code?: string
    }
    /** two decimals */
    data: string
  }
  /** Orders a top-up */
  'POST /api/user/pay': {
    body: {
      /** whole dollars; or quota, if the gateway does not show quota in dollars */
      amount: number
      /** ignored */
      top_up_code?: string
      /** zfb or wx */
      payment_method: string
    }
    data:
      | {
          pid: string
          type: string
          out_trade_no: string
          notify_url: string
          return_url: string
          name: string
          money: string
          device: string
          sign_type: string
          sign: string
        }
      | string
    answer: {
      /** success or error */
      message: string
      /** form target for the browser */
      url?: string
      data:
        | {
            pid: string
            type: string
            out_trade_no: string
            notify_url: string
            return_url: string
            name: string
            money: string
            device: string
            sign_type: string
            sign: string
          }
        | string
    }
  }
  /** Redeems a code */
  'POST /api/user/topup': {
    body: {
      key: string
    }
    /** quota added */
    data: number
  }
  /** All users' orders, newest first */
  'GET /api/topup/': {
    query?: {
      p?: number
      page_size?: number
      status?: string
      username?: string
      trade_no?: string
    }
    data: {
      items: Order[]
      total: number
      page: number
      page_size: number
    }
  }
  /** The user's own orders, newest first */
  'GET /api/topup/self': {
    query?: {
      p?: number
      page_size?: number
    }
    data: {
      items: Order[]
      total: number
      page: number
      page_size: number
    }
  }
  /** Notifications of the payment gateway with their verdicts, newest first */
  'GET /api/topup/callbacks': {
    query?: {
      p?: number
      page_size?: number
      trade_no?: string
      verdict?: string
    }
    data: {
      items: PaymentCallback[]
      total: number
      page: number
      page_size: number
    }
  }
  /** Processes a notification again, with the current settings */
  'POST /api/topup/callbacks/:id/replay': {
    path: {
      id: number
    }
    data: PaymentCallback
  }
  /** Consumption of all users, or of one user */
  'GET /api/data/': {
    query?: {
      /** unix seconds, inclusive */
      start_timestamp?: number
      /** unix seconds, inclusive; if absent, nothing is found */
      end_timestamp?: number
      username?: string
    }
    data: DashboardCount[]
  }
  /** The user's own consumption of at most 30 days */
  'GET /api/data/self': {
    query?: {
      /** unix seconds, inclusive */
      start_timestamp?: number
      /** unix seconds, inclusive; if absent, nothing is found */
      end_timestamp?: number
    }
    data: DashboardCount[]
  }
  /** Data of the console's dashboard, about the user's own relays or the relays of all users */
  'GET /api/data/dashboard': {
    query?: {
      /** all: for administrators */
      scope?: 'own' | 'all'
      /** for administrators: the relays of this user */
      username?: string
      /** absent: 24, unless start_timestamp is set */
      last_hours?: number
      /** unix seconds; replaces last_hours */
      start_timestamp?: number
      /** unix seconds, inclusive; absent: now */
      end_timestamp?: number
      by?: 'model' | 'user' | 'token' | 'channel' | 'group'
      /** metric by which groups are ranked */
      metric?: 'quota' | 'count' | 'tokens'
    }
    data: Dashboard
  }
  /** Completed first steps. For root: steps of the gateway; for others: steps of the account */
  'GET /api/user/first-steps': {
    data: FirstSteps
  }
  /** Models available to one of the user's API keys, and a suggested model for a first request */
  'GET /api/token/:id/models': {
    path: {
      id: number
    }
    data: {
      /** sorted by name */
      models: string[]
      /** a low-priced chat model for a first request; empty if there are no models */
      suggested: string
    }
  }
  /** Drawings */
  'GET /api/mj/': {
    query?: {
      /** from 0, ten rows each */
      p?: number
      /** for administrators */
      channel_id?: number
      /** unix milliseconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix milliseconds, inclusive; 0 is open */
      end_timestamp?: number
      mj_id?: string
    }
    data: Drawing[]
  }
  /** The user's own drawings */
  'GET /api/mj/self': {
    query?: {
      /** from 0, ten rows each */
      p?: number
      /** for administrators */
      channel_id?: number
      /** unix milliseconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix milliseconds, inclusive; 0 is open */
      end_timestamp?: number
      mj_id?: string
    }
    data: Drawing[]
  }
  /** Tasks */
  'GET /api/task/': {
    query?: {
      /** from 0, ten rows each */
      p?: number
      /** for administrators */
      channel_id?: number
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
      task_id?: string
      platform?: string
      status?: string
      action?: string
    }
    data: Task[]
  }
  /** The user's own tasks */
  'GET /api/task/self': {
    query?: {
      /** from 0, ten rows each */
      p?: number
      /** for administrators */
      channel_id?: number
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
      task_id?: string
      platform?: string
      status?: string
      action?: string
    }
    data: Task[]
  }
  /** A page of rows, with their total */
  'GET /api/mj/page': {
    query?: {
      /** from 1 */
      p?: number
      /** for administrators */
      channel_id?: number
      /** unix milliseconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix milliseconds, inclusive; 0 is open */
      end_timestamp?: number
      mj_id?: string
      status?: string
      action?: string
      page_size?: number
      /** for administrators */
      user_id?: number
    }
    data: {
      items: Drawing[]
      total: number
      page: number
      page_size: number
    }
  }
  /** A page of rows, with their total */
  'GET /api/task/page': {
    query?: {
      /** from 1 */
      p?: number
      /** for administrators */
      channel_id?: number
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
      task_id?: string
      platform?: string
      status?: string
      action?: string
      page_size?: number
      /** for administrators */
      user_id?: number
    }
    data: {
      items: Task[]
      total: number
      page: number
      page_size: number
    }
  }
  /** One row */
  'GET /api/mj/:id': {
    path: {
      id: number
    }
    data: Drawing
  }
  /** One row */
  'GET /api/task/:id': {
    path: {
      id: number
    }
    data: Task
  }
  /** A page of own rows, with their total */
  'GET /api/mj/self/page': {
    query?: {
      /** from 1 */
      p?: number
      /** for administrators */
      channel_id?: number
      /** unix milliseconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix milliseconds, inclusive; 0 is open */
      end_timestamp?: number
      mj_id?: string
      status?: string
      action?: string
      page_size?: number
      /** for administrators */
      user_id?: number
    }
    data: {
      items: Drawing[]
      total: number
      page: number
      page_size: number
    }
  }
  /** A page of own rows, with their total */
  'GET /api/task/self/page': {
    query?: {
      /** from 1 */
      p?: number
      /** for administrators */
      channel_id?: number
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
      task_id?: string
      platform?: string
      status?: string
      action?: string
      page_size?: number
      /** for administrators */
      user_id?: number
    }
    data: {
      items: Task[]
      total: number
      page: number
      page_size: number
    }
  }
  /** One own row */
  'GET /api/mj/self/:id': {
    path: {
      id: number
    }
    data: Drawing
  }
  /** One own row */
  'GET /api/task/self/:id': {
    path: {
      id: number
    }
    data: Task
  }
  /** Batches of all users, newest first */
  'GET /api/batch/': {
    query?: {
      /** from 1 */
      p?: number
      page_size?: number
      /** for administrators */
      user_id?: number
      /** for administrators */
      channel_id?: number
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
      batch_id?: string
      api?: string
      status?: string
    }
    data: {
      items: Batch[]
      total: number
      page: number
      page_size: number
    }
  }
  /** The user's own batches, newest first */
  'GET /api/batch/self': {
    query?: {
      /** from 1 */
      p?: number
      page_size?: number
      /** for administrators */
      user_id?: number
      /** for administrators */
      channel_id?: number
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
      batch_id?: string
      api?: string
      status?: string
    }
    data: {
      items: Batch[]
      total: number
      page: number
      page_size: number
    }
  }
  /** One batch */
  'GET /api/batch/:id': {
    path: {
      id: number
    }
    data: Batch
  }
  /** Cancels a running batch at its upstream; served requests are still charged */
  'POST /api/batch/:id/cancel': {
    path: {
      id: number
    }
    data: Batch
  }
  /** Files of all users at upstreams, newest first */
  'GET /api/file/': {
    query?: {
      /** from 1 */
      p?: number
      page_size?: number
      /** for administrators */
      user_id?: number
      /** for administrators */
      channel_id?: number
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
      file_id?: string
      purpose?: string
    }
    data: {
      items: File[]
      total: number
      page: number
      page_size: number
    }
  }
  /** The user's own files, newest first */
  'GET /api/file/self': {
    query?: {
      /** from 1 */
      p?: number
      page_size?: number
      /** for administrators */
      user_id?: number
      /** for administrators */
      channel_id?: number
      /** unix seconds, inclusive; 0 is open */
      start_timestamp?: number
      /** unix seconds, inclusive; 0 is open */
      end_timestamp?: number
      file_id?: string
      purpose?: string
    }
    data: {
      items: File[]
      total: number
      page: number
      page_size: number
    }
  }
  /** One file */
  'GET /api/file/:id': {
    path: {
      id: number
    }
    data: File
  }
  /** Deletes a file at its upstream, and its record in the gateway */
  'DELETE /api/file/:id': {
    path: {
      id: number
    }
    data: File
  }
  /** Names of all groups */
  'GET /api/group/': {
    data: string[]
  }
  /** All groups with their number of users. Common users get only the groups that they may use */
  'GET /api/group/details': {
    data: Group[]
  }
  /** Groups that the caller may use, by name */
  'GET /api/user/self/groups': {
    data: {
      [k: string]: {
        /** price multiplier */
        ratio: number
        desc: string
      }
    }
  }
  /** Groups that a visitor may use, by name */
  'GET /api/user/groups': {
    data: {
      [k: string]: {
        /** price multiplier */
        ratio: number
        desc: string
      }
    }
  }
  /** Models that an enabled channel serves for a group available to the caller */
  'GET /api/user/models': {
    data: string[]
  }
  /** Built-in model names by kind of channel */
  'GET /api/models': {
    data: {
      [k: string]: string[]
    }
  }
  /** Prices of all models, and the groups that the visitor may use */
  'GET /api/pricing': {
    data: {
      model_name: string
      /** 1 per call, 0 by usage */
      quota_type: number
      /** dollars per call; 0 by usage */
      model_price: number
      /** 1 = 2 dollars per million prompt tokens; 0 if priced per call */
      model_ratio: number
      /** price of a completion token in prompt tokens; 0 if priced per call */
      completion_ratio: number
      /** always empty */
      owner_by: string
      /** maximum tokens of prompt and reply together; 0 if unknown */
      context_window: number
      /** groups in which the model is available */
      enable_groups: string[]
    }[]
    answer: {
      success: boolean
      data?: {
        model_name: string
        /** 1 per call, 0 by usage */
        quota_type: number
        /** dollars per call; 0 by usage */
        model_price: number
        /** 1 = 2 dollars per million prompt tokens; 0 if priced per call */
        model_ratio: number
        /** price of a completion token in prompt tokens; 0 if priced per call */
        completion_ratio: number
        /** always empty */
        owner_by: string
        /** maximum tokens of prompt and reply together; 0 if unknown */
        context_window: number
        /** groups in which the model is available */
        enable_groups: string[]
      }[]
      group_ratio?: {
        [k: string]: number
      }
      usable_group?: {
        [k: string]: string
      }
      /** only in an error */
      message?: string
    }
  }
  /** All prices of models with their sources; for administrators also unpriced models */
  'GET /api/pricing/details': {
    query?: {
      /** only this model, even an unavailable one */
      model?: string
    }
    data: PriceDetail[]
  }
  /** The picture at an address of another site, downloaded by the gateway: PNG, JPEG, WebP or GIF */
  'POST /api/picture': {
    body: {
      url: string
    }
    stream: unknown
  }
}
export interface Job {
  name: string
  /** seconds from one start to the next; 0: only on request */
  every: number
  /** process that starts the job: machine/process/random; empty: none at the moment */
  leader: string
  running: boolean
  /** unix seconds; 0: never */
  started_at: number
  /** unix seconds; 0: not yet */
  finished_at: number
  /** done, stopped or failed, with details after a colon; empty: not finished */
  outcome: string
}
export interface Log {
  id: number
  user_id: number
  /** unix seconds */
  created_at: number
  /** 1 top-up, 2 consumption, 3 admin, 4 system, 5 error */
  type: number
  content: string
  username: string
  token_name: string
  model_name: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  /** seconds */
  use_time: number
  is_stream: boolean
  channel: number
  channel_name: string
  token_id: number
  group: string
  /** JSON text, or empty */
  other: string
  /** empty for rows that no relay wrote */
  request_id: string
}
export interface LogStat {
  quota: number
  /** relays in the last 60 seconds */
  rpm: number
  /** prompt and completion tokens in the last 60 seconds */
  tpm: number
}
export interface Receipt {
  log: Log
  price: {
    /** quota per prompt token */
    modelRatio: number
    /** dollars per call; -1: priced per token */
    modelPrice: number
    completionRatio: number
    cacheRatio: number
    cacheWriteRatio: number
    audioRatio: number
    audioCompletionRatio: number
    groupRatio: number
    /** quota per dollar */
    quotaPerUnit: number
    source: 'option' | 'library' | 'default'
  }
  usage: {
    promptTokens: number
    completionTokens: number
    cachedTokens: number
    cacheWriteTokens: number
    cacheWriteHourTokens: number
    audioPromptTokens: number
    audioCompletionTokens: number
    reasoningTokens: number
  }
  /** tools that the upstream ran */
  toolCalls: {
    tool: string
    calls: number
    /** dollars per call */
    price: number
  }[]
  /** quota in the row */
  charged: number
  /** quota computed again from the fields above */
  recomputed: number
  equal: boolean
  /** false for channel tests, which are not charged */
  isCharged: boolean
}
export interface RequestTrace {
  request_id: string
  /** end of the request, unix seconds */
  created_at: number
  user_id: number
  username: string
  token_name: string
  model_name: string
  group: string
  /** seconds */
  use_time: number
  is_stream: boolean
  /** incomplete: charged for the part that was delivered */
  outcome: 'complete' | 'incomplete' | 'failed'
  /** HTTP status of a failure; 0 for none */
  status: number
  /** error code of a failure; empty for none */
  code: string
  /** error message to the client; empty for none */
  message: string
  /** why an incomplete reply ended; empty for none */
  end_reason: string
  /** -1 if not measured */
  first_token_ms: number
  /** for administrators; empty if unknown */
  upstream_request_id: string
  /** 0 if the request was rejected before any channel was tried */
  attempt_count: number
  /** for administrators, in order */
  attempts: {
    /** channel id */
    channel: number
    /** current name; empty if the channel was deleted */
    channel_name: string
    /** position of the key, from 1, if the channel has several */
    key_number?: number
    /** whether this channel served the reply */
    answered: boolean
    /** HTTP status of the upstream; 0 for none */
    status: number
    /** error code; empty for none */
    code: string
    /** milliseconds; -1 if not measured */
    ms: number
    /** error message of the upstream */
    message: string
  }[]
  /** failures of the same second that this record represents */
  suppressed: number
  /** quota */
  charged: number
  receipt?: Receipt
}
export interface AuditEntry {
  id: number
  /** unix seconds */
  created_at: number
  /** 0: an operator at the terminal, before the root user existed */
  actor_id: number
  /** user name at that time; at the terminal, the operating-system user */
  actor: string
  /** IP address, or `terminal` */
  address: string
  action: string
  /** kind, or kind:id */
  object: string
  before: {
    [k: string]: unknown
  } | null
  after: {
    [k: string]: unknown
  } | null
}
export interface User {
  id: number
  username: string
  password: ''
  display_name: string
  /** 1 common, 10 admin, 100 root */
  role: number
  /** 1 enabled, 2 disabled */
  status: number
  email: string
  github_id: string
  wechat_id: string
  telegram_id: string
  linux_do_id: string
  /** subject at the OpenID Connect provider */
  oidc_id: string
  verification_code: ''
  access_token: string | null
  quota: number
  /** how far below zero the balance may go; absent: 0 */
  debt_limit?: number
  used_quota: number
  request_count: number
  group: string
  aff_code: string
  aff_count: number
  aff_quota: number
  aff_history_quota: number
  inviter_id: number
  /** in lists: the last relay or sign-in, unix seconds; 0: unknown */
  last_active?: number
  DeletedAt: string | null
}
export interface ManagementKey {
  id: number
  user_id: number
  name: string
  /** prefix of the key */
  key_start: string
  /** such as codes:create, channels:read, logs:* */
  scopes: string[]
  /** total quota that the key may grant in codes, grants and balances; null: unlimited */
  quota_max: number | null
  /** quota that the key has already granted */
  quota_used: number
  /** -1: never */
  expires_at: number
  created_at: number
  /** 0: not used yet; accurate to one minute */
  last_used_at: number
  /** 0: not revoked */
  revoked_at: number
}
export interface TollgateConfiguration {
  version: 1
  /** options by name; secret ones as env:NAME, file:PATH or command:LINE */
  options?: {
    [k: string]:
      | string
      | number
      | boolean
      | unknown[]
      | {
          [k: string]: unknown
        }
  }
  groups?: {
    /** group of users */
    [k: string]: {
      /** GroupRatio: price multiplier */
      ratio: number
      /** UserUsableGroups: with it, all users may choose the group */
      description?: string
      /** TopupGroupRatio: price multiplier of top-ups */
      topup_ratio?: number
      /** GroupDebtLimit: quota that each user of the group may owe */
      debt?: number
    }
  }
  prices?: {
    /** price of a model */
    [k: string]: {
      /** ModelRatio: 1 is 2 dollars per million prompt tokens */
      ratio?: number
      /** CompletionRatio */
      completion?: number
      /** CacheRatio: cached prompt tokens */
      cache?: number
      /** CacheWriteRatio */
      cache_write?: number
      /** ModelPrice: dollars per call, instead of a ratio */
      per_call?: number
      /** OutputTokensMax: longest reply */
      output_tokens_max?: number
    }
  }
  channels?: {
    /** upstream account */
    [k: string]: {
      /** a word or number that `tollgate channel types` lists */
      type: string | number
      /** env:NAME, file:PATH or command:LINE; omitted: unchanged. Plain text causes a warning */
      key?: string
      /** @minItems 1 */
      models?: string[]
      /** @minItems 1 */
      groups?: string[]
      enabled?: boolean
      base_url?: string
      /** the meaning depends on the type */
      other?: string
      model_mapping?: {
        [k: string]: string
      }
      status_code_mapping?: {
        [k: string]: string
      }
      priority?: number
      weight?: number
      tag?: string
      test_model?: string
      organization?: string
      auto_ban?: boolean
      /** docs/channels.md */
      setting?: {
        [k: string]: unknown
      }
    }
  }
  teams?: {
    /** team; members must be users of the gateway */
    [k: string]: {
      /** user name; required for a new team */
      owner?: string
      group?: string
      /** false: its keys are rejected */
      enabled?: boolean
      /** roles by user name, without the owner; --prune removes other members and their keys */
      members?: {
        /** role */
        [k: string]: 'admin' | 'member'
      }
    }
  }
  /** Items: limit */
  limits?: {
    /** kind of subject */
    subject: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
    /** name of the user, token, group, model or channel; an address; for a member, the user; * means each subject */
    name: string
    /** for a token: user name of its owner */
    user?: string
    /** for a token or member: name of the team */
    team?: string
    /** for a channel-key: its position from 1, or its digest, as tollgate limit list shows it */
    channel_key?: number | string
    /** what is counted; 500000 quota are one US dollar */
    measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
    /** length of a window; omitted for concurrent */
    period?: 'none' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
    /** maximum per window */
    amount: number
    /** IANA name; with it, windows follow the calendar of this time zone instead of rolling */
    time_zone?: string
    /** action for a request above the limit; default: reject */
    action?: 'reject' | 'queue' | 'notify'
    /** for queue: the maximum wait */
    wait_seconds?: number
  }[]
  /** Items: management key */
  management_keys?: {
    /** user name of its owner */
    user: string
    name: string
    /** env:NAME, file:PATH or command:LINE; tgm_ and 40 to 128 random letters and digits. Required for a new key */
    key?: string
    /**
     * such as codes:create
     *
     * @minItems 1
     */
    scopes: string[]
    /** maximum quota that the key may grant in total; omitted: unlimited */
    quota_max?: number
    /** date, or date and time with its zone (ISO 8601); omitted: never */
    expires_at?: string
  }[]
}
export interface ConfigurationPlan {
  /** digest of the document; the plan is only valid for this document */
  document: string
  changes: ConfigurationChange[]
}
export interface ConfigurationChange {
  section: 'options' | 'groups' | 'prices' | 'channels' | 'teams' | 'limits' | 'management_keys'
  name: string
  action: 'create' | 'update' | 'delete'
  fields: {
    field: string
    /** absent if the field was not set */
    before?: unknown
    /** absent if the field will be removed */
    after?: unknown
  }[]
  /** digest of the current entry; the change is only applied while the entry has this digest */
  version: string
  /** digest of the new entry; the change is only applied if the document has this entry */
  wanted: string
  /** for a deleted group: how many users, teams and tokens are in it; their requests will be rejected */
  in_use?: {
    users: number
    teams: number
    tokens: number
  }
}
export interface Channel {
  id: number
  type: number
  key: ''
  openai_organization: string | null
  test_model: string | null
  /** 1 enabled, 2 disabled by hand, 3 disabled automatically */
  status: number
  name: string
  weight: number
  created_time: number
  test_time: number
  /** milliseconds; 0 untested */
  response_time: number
  base_url: string
  other: string
  balance: number
  balance_updated_time: number
  /** comma list */
  models: string
  /** comma list */
  group: string
  used_quota: number
  /** JSON text; empty for none */
  model_mapping: string
  status_code_mapping: string
  priority: number
  auto_ban: number
  other_info: string
  tag: string | null
  setting: string
  /** absent if the channel has one key */
  multi_key?: {
    mode: 'random' | 'polling'
    /** number of keys */
    keys: number
    set_aside: {
      /** position in the list of keys, from 1 */
      index: number
      /** digest of the key */
      digest: string
      reason: string
      /** unix seconds */
      time: number
    }[]
  }
}
export interface ChannelCircuit {
  channel_id: number
  channel_name: string
  /** process id */
  node_id: string
  /** scope of the circuit: the channel, one of its keys, a model in a format, the rate limit of a model */
  scope: 'channel' | 'key' | 'model' | 'limit'
  /** the model, the digest of the key, or both; empty for the channel */
  subject: string
  /** half-open: the next attempt is a probe */
  state: 'open' | 'half-open'
  /** account, limited, unreachable, server or model */
  class: string
  reason: string
  /** unix seconds */
  since: number
  /** unix seconds */
  retry_at: number
}
export interface DisabledChannel {
  channel_id: number
  channel_name: string
  /** 2 disabled by hand, 3 disabled automatically */
  status: number
  reason: string
  /** unix seconds; 0 unknown */
  since: number
}
export interface ChannelActivity {
  channel_id: number
  /** completed replies */
  ok: number
  /** failures, without those of clients that disconnected */
  failed: number
  /** part of the replies of all channels, 0 to 1 */
  share: number
  /** median duration of completed replies in milliseconds; -1: there are none */
  latency_p50: number
  /** replies per hour, oldest first */
  hours: number[]
  /** models for which this is the only enabled channel of a group; at most 20 */
  sole_models: string[]
  /** number of all such models */
  sole_count: number
}
export interface ChannelEvent {
  id: number
  channel_id: number
  created_at: number
  node_id: string
  /** opened, closed, disabled, enabled, key-disabled or key-enabled */
  event: string
  /** scope of the circuit: the channel, one of its keys, a model in a format, the rate limit of a model */
  scope: 'channel' | 'key' | 'model' | 'limit'
  subject: string
  /** for a circuit, the cause; for a channel status, manual or automatic */
  class: string
  reason: string
}
export interface ChannelKind {
  type: number
  name: string
  /** name on the command line; empty if the relay does not serve the kind */
  slug: string
  /** recommended for new channels */
  offered: boolean
  /** reason why the relay does not serve the kind; empty for a served kind */
  retired: string
  /** default base URL; empty if there is none */
  base_url: string
  base_url_required: boolean
  /** the vendor's term for the address, if any */
  base_url_name: string
  base_url_example: string
  /** the base URL is the complete endpoint; {model} in it is replaced by the model name */
  complete_url: boolean
  key_format: string
  /** the key may be a JSON document */
  key_document: boolean
  /** label of the field `other`; empty if the kind does not use the field */
  other_name: string
  /** description of the field `other` */
  other: string
  /** default value of the field `other` */
  other_default: string
  other_required: boolean
  /** the relay sends openai_organization to the upstream */
  organization: boolean
  /** the gateway can fetch the list of models from the upstream */
  model_list: boolean
  /** the default models of a new channel */
  models: string[]
}
export interface Token {
  id: number
  user_id: number
  /** of the owner, in lists of other users' tokens */
  username?: string
  key: string
  /** 1 enabled, 2 disabled, 3 expired, 4 exhausted */
  status: number
  name: string
  created_time: number
  accessed_time: number
  /** unix seconds, -1 never */
  expired_time: number
  remain_quota: number
  unlimited_quota: boolean
  model_limits_enabled: boolean
  /** comma list */
  model_limits: string
  /** one address or range per line */
  allow_ips: string
  used_quota: number
  /** responses are stored for later requests that continue them */
  store_responses: boolean
  /** empty: the owner's group */
  group: string
  /** for a team key: the user who created it */
  member_id?: number
  DeletedAt: string | null
}
export interface Team {
  /** also the id of its account, the user_id of its log rows and entries */
  id: number
  name: string
  /** the caller's role; empty: not a member */
  role: 'owner' | 'admin' | 'member' | ''
  /** 0: the owner was deleted */
  owner_id: number
  /** user name */
  owner: string
  members: number
  /** 1 enabled, 2 disabled: its keys are rejected */
  status: number
  group: string
  /** the balance */
  quota: number
  used_quota: number
  request_count: number
  created_at: number
}
export interface TeamMember {
  user_id: number
  username: string
  /** owner, admin or member */
  role: 'owner' | 'admin' | 'member'
  /** of the user: 1 enabled, 2 disabled */
  status: number
  /** team keys of the member */
  keys: number
  /** usage of these keys and of deleted keys of the member */
  used_quota: number
  joined_at: number
}
export interface TeamInvite {
  id: number
  /** the role of the user who joins with the invite */
  role: 'admin' | 'member'
  /** id of a user */
  created_by: number
  created_at: number
  /** unix seconds */
  expires_at: number
  /** id of a user; 0: unused */
  used_by: number
  /** unix seconds; 0: unused */
  used_at: number
  /** only in the reply to the creation of the invite */
  code?: string
}
export interface Dashboard {
  /** unix seconds: the start of an hour */
  start: number
  /** unix seconds */
  end: number
  /** unix seconds up to which success, latency, errors and all groups except models are counted */
  counted_until: number
  /** for a user or team with very many relays: success, latency, errors, keys and members cover the newest 10 000 */
  sampled: boolean
  /** the user's account */
  account: {
    quota: number
    used_quota: number
    request_count: number
  }
  rpm: number
  tpm: number
  totals: UsageTotals
  /** like totals, without the current hour */
  compared: {
    /** charged relays */
    count: number
    quota: number
    /** prompt and completion tokens */
    tokens: number
    /** completed replies */
    ok: number
    /** failures, without those of clients that disconnected */
    failed: number
    /** milliseconds, with an error of at most 5 %; -1 if not measured */
    latency_p50: number
    /** milliseconds, with an error of at most 5 %; -1 if not measured */
    latency_p95: number
    /** milliseconds, with an error of at most 5 %; -1 if not measured */
    first_token_p50: number
    /** milliseconds, with an error of at most 5 %; -1 if not measured */
    first_token_p95: number
  }
  /** like compared, for the previous period of equal length */
  previous: {
    /** charged relays */
    count: number
    quota: number
    /** prompt and completion tokens */
    tokens: number
    /** completed replies */
    ok: number
    /** failures, without those of clients that disconnected */
    failed: number
    /** milliseconds, with an error of at most 5 %; -1 if not measured */
    latency_p50: number
    /** milliseconds, with an error of at most 5 %; -1 if not measured */
    latency_p95: number
    /** milliseconds, with an error of at most 5 %; -1 if not measured */
    first_token_p50: number
    /** milliseconds, with an error of at most 5 %; -1 if not measured */
    first_token_p95: number
  }
  /** the most frequent first */
  errors: {
    code: string
    count: number
  }[]
  by: 'model' | 'user' | 'token' | 'channel' | 'group' | 'member'
  /** the largest by the metric, and one for all others */
  groups: UsageGroup[]
  /** number of groups that are combined as all others */
  group_count: number
  /** hours with data of a group */
  series: {
    /** start of the hour, unix seconds */
    hour: number
    /** index in groups */
    group: number
    count: number
    quota: number
    tokens: number
  }[]
  /** for administrators */
  users: UsageGroup[]
  /** members of a team; for its owner and admins */
  members: UsageGroup[]
  tokens: UsageGroup[]
  /** for administrators */
  channels: UsageGroup[]
  /** the newest ten rows */
  newest: Log[]
}
export interface UsageTotals {
  /** charged relays */
  count: number
  quota: number
  /** prompt and completion tokens */
  tokens: number
  /** completed replies */
  ok: number
  /** failures, without those of clients that disconnected */
  failed: number
  /** milliseconds, with an error of at most 5 %; -1 if not measured */
  latency_p50: number
  /** milliseconds, with an error of at most 5 %; -1 if not measured */
  latency_p95: number
  /** milliseconds, with an error of at most 5 %; -1 if not measured */
  first_token_p50: number
  /** milliseconds, with an error of at most 5 %; -1 if not measured */
  first_token_p95: number
}
export interface UsageGroup {
  /** name of a model or group, or id of a user, member, token or channel; empty: all others together */
  name: string
  /** the current name of a user, token or channel */
  label: string
  count: number
  quota: number
  tokens: number
  ok: number
  failed: number
  /** milliseconds, with an error of at most 5 %; -1 if not measured */
  latency_p95: number
}
export interface Limit {
  id: number
  /** kind of subject */
  subject: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
  /** id of a token, user or channel; channel/position or channel/digest of a key; team/user (ids) of a member; name of a group or model; an address; * means each subject */
  subject_id: string
  /** what is counted */
  measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
  /** length of a window; none for concurrent requests */
  period: 'none' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
  /** maximum per window, at least 1 */
  amount: number
  /** name of the token, user, channel, member or channel key; else the subject_id */
  name: string
  /** IANA name of the time zone of calendar windows; empty for rolling windows */
  time_zone: string
  /** action for a request above the limit: reject it, queue it, or serve it and mail root */
  action: 'reject' | 'queue' | 'notify'
  /** maximum wait in the queue; 0 unless action is queue */
  wait_seconds: number
  created_at: number
  updated_at: number
}
export interface LimitStatus {
  limit: Limit
  /** the counted subject; for a default, one of the subjects that it applies to */
  subject_id: string
  name: string
  /** amount that requests have used or processes have taken in advance, in the current window */
  used: number
  remaining: number
  /** unix seconds when some of the amount is available again; 0 if nothing is used */
  resets_at: number
}
export interface NoticeTarget {
  id: number
  /** null: a target of the gateway */
  user_id: number | null
  /** how notices are delivered */
  kind: 'webhook' | 'mail' | 'telegram' | 'feishu' | 'bark' | 'slack'
  name: string
  /** host, chat or email address; without secrets */
  address: string
  /**
   * @maxItems 9
   *
   * Items: an event
   */
  events: (
    | 'channel.disabled'
    | 'channel.enabled'
    | 'circuit.opened'
    | 'job.failed'
    | 'ledger.mismatch'
    | 'balance.reached'
    | 'budget.reached'
    | 'payment.completed'
    | 'sign-in.new'
  )[]
  /** of the texts */
  language: 'en' | 'zh'
  enabled: boolean
  created_at: number
  updated_at: number
}
export interface NoticeDelivery {
  /** also in the header tollgate-delivery of a webhook */
  id: number
  notice_id: number
  target_id: number
  /** name of the target; empty if the target was deleted */
  target: string
  kind: string
  event: string
  subject: string
  /** failed: no further attempt */
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** unix seconds of the next attempt, while pending */
  next_at: number
  /** HTTP status of the last reply; 0: no reply */
  status: number
  error: string
  created_at: number
  /** unix seconds; 0: not yet */
  delivered_at: number
}
export interface NoticeThreshold {
  /** balance of a user, or budget of a token */
  subject: 'user' | 'token'
  subject_id: number
  /**
   * a notice is sent when these percentages of the last credit, a budget or a quota window are used; empty: none
   *
   * @maxItems 10
   */
  percents: number[]
}
export interface RedemptionCode {
  id: number
  /** creator */
  user_id: number
  key: string
  /** 1 unused, 2 disabled, 3 used */
  status: number
  name: string
  quota: number
  created_time: number
  /** 0 = not yet */
  redeemed_time: number
  /** always 0; used only in requests */
  count: number
  used_user_id: number
  DeletedAt: string | null
}
export interface Order {
  id: number
  user_id: number
  /** empty if the account was deleted */
  username: string
  /** whole dollars */
  amount: number
  /** to pay, in the currency of the payment gateway */
  money: number
  /** quota to credit; fixed at the creation of the order */
  quota: number
  trade_no: string
  /** zfb or wx; imported orders may have none, or another name */
  payment_method: string
  /** pending or success */
  status: string
  /** unix seconds */
  create_time: number
  /** unix seconds; 0 = not yet */
  complete_time: number
}
export interface PaymentCallback {
  id: number
  trade_no: string
  params: {
    [k: string]: string
  }
  /** sender address; empty for a replay, and for an invalid address */
  ip: string
  /** credited, repeated, ignored, refused, failed */
  verdict: string
  /** reason as a code; empty if the order was credited */
  reason: string
  /** the replayed callback; 0 = sent by the payment gateway */
  replay_of: number
  /** the administrator who replayed the callback; 0 = none */
  actor_id: number
  /** unix seconds */
  created_at: number
}
export interface DashboardCount {
  /** 0 in sums of all users */
  id: number
  /** 0 in sums of all users */
  user_id: number
  /** empty in sums of all users */
  username: string
  model_name: string
  /** start of the hour, unix seconds */
  created_at: number
  token_used: number
  count: number
  quota: number
}
export interface FirstSteps {
  /** in order; root has additional steps */
  steps: {
    name: 'channel' | 'test' | 'price' | 'key' | 'request' | 'retries' | 'address'
    done: boolean
  }[]
  /** for root: the newest enabled channel; 0 for none */
  channel_id: number
  /** for root: models of enabled channels that have no price; at most 20 */
  unpriced_models: string[]
  /** the newest enabled token of the caller; 0 for none */
  token_id: number
}
export interface Drawing {
  id: number
  /** 1 submitted, 21 exists, 22 queued, 23 queue full, 24 banned word */
  code: number
  user_id: number
  action: string
  mj_id: string
  prompt: string
  prompt_en: string
  description: string
  state: string
  /** unix milliseconds */
  submit_time: number
  /** unix milliseconds */
  start_time: number
  /** unix milliseconds */
  finish_time: number
  image_url: string
  status: string
  progress: string
  fail_reason: string
  channel_id: number
  quota: number
  /** JSON text */
  buttons: string
  /** JSON text */
  properties: string
}
export interface Task {
  id: number
  created_at: number
  updated_at: number
  task_id: string
  platform: string
  user_id: number
  /** 0 in the user's own list */
  channel_id: number
  quota: number
  action: string
  status: string
  fail_reason: string
  submit_time: number
  start_time: number
  finish_time: number
  /** 0% to 100% */
  progress: string
  /** {input: text} */
  properties: {
    [k: string]: unknown
  }
  /** the upstream's result, null until known */
  data: unknown
}
export interface Batch {
  id: number
  /** the upstream's id, which clients use too */
  batch_id: string
  /** openai or anthropic */
  api: string
  user_id: number
  /** current name; empty if the user was deleted */
  username: string
  token_id: number
  /** current name; empty if the token was deleted */
  token_name: string
  channel_id: number
  /** current name; empty if the channel was deleted */
  channel_name: string
  endpoint: string
  model: string
  /** empty for batches of messages */
  input_file_id: string
  /** the upstream's status; submitting: it is unknown whether the upstream accepted the batch */
  status: string
  request_count: number
  /** charged when the batch was created */
  quota: number
  /** final price; 0 until the batch is settled */
  final_quota: number
  prompt_tokens: number
  completion_tokens: number
  request_id: string
  created_at: number
  expires_at: number
  /** 0: not settled */
  settled_at: number
  /** results, channel-deleted, lost, absent; empty until the batch is settled */
  outcome: string
}
export interface File {
  id: number
  /** the upstream's id, which clients use too */
  file_id: string
  user_id: number
  /** current name; empty if the user was deleted */
  username: string
  channel_id: number
  /** current name; empty if the channel was deleted */
  channel_name: string
  purpose: string
  /** empty if the upstream has not described the file */
  filename: string
  /** 0 if the upstream has not described the file */
  bytes: number
  /** the batch that produced the file; empty if the user uploaded the file */
  batch_id: string
  created_at: number
}
export interface Group {
  name: string
  /** price multiplier */
  ratio: number
  desc: string
  /** all users may choose the group, not only its members */
  selectable: boolean
  users?: number
  tokens?: number
  channels?: number
}
export interface PriceDetail {
  model_name: string
  /** option, library or default; none: requests for it are rejected */
  source: string
  /** 1 per call, 0 by usage */
  quota_type: number
  /** dollars per call; 0 by usage */
  model_price: number
  /** quota per prompt token; 0 if priced per call */
  model_ratio: number
  /** price of a completion token in prompt tokens; 0 if priced per call */
  completion_ratio: number
  /** price of a cached prompt token in prompt tokens; 0 if priced per call */
  cache_ratio: number
  /** price of a token written to the cache in prompt tokens; 0 if priced per call */
  cache_write_ratio: number
  /** price conditions */
  conditions: {
    /** prompt>200000, tier=flex, effort=high, utc=1630-0030, image, reasoning … */
    condition: string
    /** price multiplier; for images and reasoning the price of a token in prompt tokens */
    ratio: number
  }[]
  /** groups in which the model is available */
  enable_groups: string[]
}
