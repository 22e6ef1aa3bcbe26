/* Generated from the gateway's OpenAPI document by `npm run api-types`; a test fails when it is out of date. */

/**
 * What each call takes and answers.
 */
export interface Calls {
  /**
   * Whether the process works: restart it if not
   */
  'GET /healthz': {
    answer: {
      status: 'ok' | 'failed'
      checks: {
        name: string
        status: 'ok' | 'failed'
        /**
         * what is wrong; absent if the check passed
         */
        message?: string
      }[]
    }
  }
  /**
   * Whether the gateway can take requests
   */
  'GET /readyz': {
    answer: {
      status: 'ok' | 'failed'
      checks: {
        name: string
        status: 'ok' | 'failed'
        /**
         * what is wrong; absent if the check passed
         */
        message?: string
      }[]
    }
  }
  /**
   * Chat completions, as OpenAI has them, at Azure's address
   */
  'POST /openai/deployments/:model/chat/completions': {
    path: {
      model: string
    }
    stream: unknown
  }
  /**
   * Legacy completions, as OpenAI has them, at Azure's address
   */
  'POST /openai/deployments/:model/completions': {
    path: {
      model: string
    }
    stream: unknown
  }
  /**
   * Responses, as OpenAI has them, at Azure's address
   */
  'POST /openai/deployments/:model/responses': {
    path: {
      model: string
    }
    stream: unknown
  }
  /**
   * Embeddings, as OpenAI has them, at Azure's address
   */
  'POST /openai/deployments/:model/embeddings': {
    path: {
      model: string
    }
    stream: unknown
  }
  /**
   * Pictures from a text, at Azure's address
   */
  'POST /openai/deployments/:model/images/generations': {
    path: {
      model: string
    }
    stream: unknown
  }
  /**
   * A picture changed as a text says, at Azure's address
   */
  'POST /openai/deployments/:model/images/edits': {
    path: {
      model: string
    }
    stream: unknown
  }
  /**
   * Pictures like one that is given, at Azure's address
   */
  'POST /openai/deployments/:model/images/variations': {
    path: {
      model: string
    }
    stream: unknown
  }
  /**
   * A text, spoken, at Azure's address
   */
  'POST /openai/deployments/:model/audio/speech': {
    path: {
      model: string
    }
    stream: unknown
  }
  /**
   * The text of a recording, at Azure's address
   */
  'POST /openai/deployments/:model/audio/transcriptions': {
    path: {
      model: string
    }
    stream: unknown
  }
  /**
   * The text of a recording, in English, at Azure's address
   */
  'POST /openai/deployments/:model/audio/translations': {
    path: {
      model: string
    }
    stream: unknown
  }
  /**
   * Whether a text is harmful, at Azure's address
   */
  'POST /openai/deployments/:model/moderations': {
    path: {
      model: string
    }
    stream: unknown
  }
  /**
   * Documents by how well they answer a query, at Azure's address
   */
  'POST /openai/deployments/:model/rerank': {
    path: {
      model: string
    }
    stream: unknown
  }
  /**
   * Conversations, as Cohere has them
   */
  'POST /v2/chat': {
    stream: unknown
  }
  /**
   * Embeddings, as Cohere has them
   */
  'POST /v2/embed': {
    stream: unknown
  }
  /**
   * Chat as the signed-in user, charged to their balance
   */
  'POST /pg/chat/completions': {
    stream: unknown
  }
  /**
   * What everybody may know
   */
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
  /**
   * Ask whether the database answers
   */
  'GET /api/status/test': {}
  /**
   * Regular work: which process leads, and when each job ran last
   */
  'GET /api/jobs': {
    data: {
      name: string
      /**
       * seconds from one start to the next; 0 = only when somebody asks
       */
      every: number
      /**
       * the process that starts it: machine/process/random; empty = none at the moment
       */
      leader: string
      running: boolean
      /**
       * unix seconds; 0 = never
       */
      started_at: number
      /**
       * unix seconds; 0 = not yet
       */
      finished_at: number
      /**
       * done, stopped or failed, with more after a colon; empty = not finished
       */
      outcome: string
    }[]
  }
  /**
   * Log rows, newest first
   */
  'GET /api/log/': {
    query?: {
      /**
       * from 1
       */
      p?: number
      page_size?: number
      /**
       * 0 is all
       */
      type?: number
      token_name?: string
      /**
       * % and _ are wildcards
       */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
    }
    data: {
      items: {
        id: number
        user_id: number
        /**
         * unix seconds
         */
        created_at: number
        /**
         * 1 top-up, 2 consumption, 3 admin, 4 system, 5 error
         */
        type: number
        content: string
        username: string
        token_name: string
        model_name: string
        quota: number
        prompt_tokens: number
        completion_tokens: number
        /**
         * seconds
         */
        use_time: number
        is_stream: boolean
        channel: number
        channel_name: string
        token_id: number
        group: string
        /**
         * JSON text, or empty
         */
        other: string
        /**
         * empty for rows that are not a relay
         */
        request_id: string
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * Delete the rows older than a time; answers how many
   */
  'DELETE /api/log/': {
    query?: {
      /**
       * unix seconds
       */
      target_timestamp?: number
    }
    data: number
  }
  /**
   * The own log rows
   */
  'GET /api/log/self': {
    query?: {
      /**
       * from 1
       */
      p?: number
      page_size?: number
      /**
       * 0 is all
       */
      type?: number
      token_name?: string
      /**
       * % and _ are wildcards
       */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
    }
    data: {
      items: {
        id: number
        user_id: number
        /**
         * unix seconds
         */
        created_at: number
        /**
         * 1 top-up, 2 consumption, 3 admin, 4 system, 5 error
         */
        type: number
        content: string
        username: string
        token_name: string
        model_name: string
        quota: number
        prompt_tokens: number
        completion_tokens: number
        /**
         * seconds
         */
        use_time: number
        is_stream: boolean
        channel: number
        channel_name: string
        token_id: number
        group: string
        /**
         * JSON text, or empty
         */
        other: string
        /**
         * empty for rows that are not a relay
         */
        request_id: string
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * What was spent, and the rate
   */
  'GET /api/log/stat': {
    query?: {
      /**
       * 0 is all
       */
      type?: number
      token_name?: string
      /**
       * % and _ are wildcards
       */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
    }
    data: {
      quota: number
      /**
       * relays in the last 60 seconds
       */
      rpm: number
      /**
       * prompt and completion tokens in the last 60 seconds
       */
      tpm: number
    }
  }
  /**
   * The same of the own rows
   */
  'GET /api/log/self/stat': {
    query?: {
      /**
       * 0 is all
       */
      type?: number
      token_name?: string
      /**
       * % and _ are wildcards
       */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
    }
    data: {
      quota: number
      /**
       * relays in the last 60 seconds
       */
      rpm: number
      /**
       * prompt and completion tokens in the last 60 seconds
       */
      tpm: number
    }
  }
  /**
   * Rows of a type, or whose content starts with the keyword: the newest 100
   */
  'GET /api/log/search': {
    query?: {
      keyword?: string
    }
    data: {
      id: number
      user_id: number
      /**
       * unix seconds
       */
      created_at: number
      /**
       * 1 top-up, 2 consumption, 3 admin, 4 system, 5 error
       */
      type: number
      content: string
      username: string
      token_name: string
      model_name: string
      quota: number
      prompt_tokens: number
      completion_tokens: number
      /**
       * seconds
       */
      use_time: number
      is_stream: boolean
      channel: number
      channel_name: string
      token_id: number
      group: string
      /**
       * JSON text, or empty
       */
      other: string
      /**
       * empty for rows that are not a relay
       */
      request_id: string
    }[]
  }
  /**
   * The own rows of a type: the newest 100
   */
  'GET /api/log/self/search': {
    query?: {
      keyword?: string
    }
    data: {
      id: number
      user_id: number
      /**
       * unix seconds
       */
      created_at: number
      /**
       * 1 top-up, 2 consumption, 3 admin, 4 system, 5 error
       */
      type: number
      content: string
      username: string
      token_name: string
      model_name: string
      quota: number
      prompt_tokens: number
      completion_tokens: number
      /**
       * seconds
       */
      use_time: number
      is_stream: boolean
      channel: number
      channel_name: string
      token_id: number
      group: string
      /**
       * JSON text, or empty
       */
      other: string
      /**
       * empty for rows that are not a relay
       */
      request_id: string
    }[]
  }
  /**
   * The newest 1000 rows of an API key, which is the only credential
   */
  'GET /api/log/token': {
    query?: {
      key?: string
    }
    data: {
      id: number
      user_id: number
      /**
       * unix seconds
       */
      created_at: number
      /**
       * 1 top-up, 2 consumption, 3 admin, 4 system, 5 error
       */
      type: number
      content: string
      username: string
      token_name: string
      model_name: string
      quota: number
      prompt_tokens: number
      completion_tokens: number
      /**
       * seconds
       */
      use_time: number
      is_stream: boolean
      channel: number
      channel_name: string
      token_id: number
      group: string
      /**
       * JSON text, or empty
       */
      other: string
      /**
       * empty for rows that are not a relay
       */
      request_id: string
    }[]
  }
  /**
   * Rows as they come
   */
  'GET /api/log/tail': {
    query?: {
      /**
       * what the last answer said; absent: begin
       */
      cursor?: string
      /**
       * without a cursor: so many of the rows there are, at most 1000
       */
      last?: number
      /**
       * 0 is all
       */
      type?: number
      token_name?: string
      /**
       * % and _ are wildcards
       */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
    }
    data: {
      /**
       * oldest first
       */
      items: {
        id: number
        user_id: number
        /**
         * unix seconds
         */
        created_at: number
        /**
         * 1 top-up, 2 consumption, 3 admin, 4 system, 5 error
         */
        type: number
        content: string
        username: string
        token_name: string
        model_name: string
        quota: number
        prompt_tokens: number
        completion_tokens: number
        /**
         * seconds
         */
        use_time: number
        is_stream: boolean
        channel: number
        channel_name: string
        token_id: number
        group: string
        /**
         * JSON text, or empty
         */
        other: string
        /**
         * empty for rows that are not a relay
         */
        request_id: string
      }[]
      /**
       * tells nothing; good for the next call
       */
      cursor: string
      /**
       * whether to ask again at once
       */
      more: boolean
    }
  }
  /**
   * The own rows as they come
   */
  'GET /api/log/self/tail': {
    query?: {
      /**
       * what the last answer said; absent: begin
       */
      cursor?: string
      /**
       * without a cursor: so many of the rows there are, at most 1000
       */
      last?: number
      /**
       * 0 is all
       */
      type?: number
      token_name?: string
      /**
       * % and _ are wildcards
       */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
    }
    data: {
      /**
       * oldest first
       */
      items: {
        id: number
        user_id: number
        /**
         * unix seconds
         */
        created_at: number
        /**
         * 1 top-up, 2 consumption, 3 admin, 4 system, 5 error
         */
        type: number
        content: string
        username: string
        token_name: string
        model_name: string
        quota: number
        prompt_tokens: number
        completion_tokens: number
        /**
         * seconds
         */
        use_time: number
        is_stream: boolean
        channel: number
        channel_name: string
        token_id: number
        group: string
        /**
         * JSON text, or empty
         */
        other: string
        /**
         * empty for rows that are not a relay
         */
        request_id: string
      }[]
      /**
       * tells nothing; good for the next call
       */
      cursor: string
      /**
       * whether to ask again at once
       */
      more: boolean
    }
  }
  /**
   * All rows, newest first: JSON lines
   */
  'GET /api/log/export': {
    query?: {
      /**
       * 0 is all
       */
      type?: number
      token_name?: string
      /**
       * % and _ are wildcards
       */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
    }
    stream: unknown
  }
  /**
   * All own rows, newest first: JSON lines
   */
  'GET /api/log/self/export': {
    query?: {
      /**
       * 0 is all
       */
      type?: number
      token_name?: string
      /**
       * % and _ are wildcards
       */
      model_name?: string
      group?: string
      username?: string
      channel?: number
      request_id?: string
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
    }
    stream: unknown
  }
  /**
   * One row
   */
  'GET /api/log/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      user_id: number
      /**
       * unix seconds
       */
      created_at: number
      /**
       * 1 top-up, 2 consumption, 3 admin, 4 system, 5 error
       */
      type: number
      content: string
      username: string
      token_name: string
      model_name: string
      quota: number
      prompt_tokens: number
      completion_tokens: number
      /**
       * seconds
       */
      use_time: number
      is_stream: boolean
      channel: number
      channel_name: string
      token_id: number
      group: string
      /**
       * JSON text, or empty
       */
      other: string
      /**
       * empty for rows that are not a relay
       */
      request_id: string
    }
  }
  /**
   * The price of a row, computed again from nothing but the row
   */
  'GET /api/log/:id/receipt': {
    path: {
      id: number
    }
    data: {
      log: {
        id: number
        user_id: number
        /**
         * unix seconds
         */
        created_at: number
        /**
         * 1 top-up, 2 consumption, 3 admin, 4 system, 5 error
         */
        type: number
        content: string
        username: string
        token_name: string
        model_name: string
        quota: number
        prompt_tokens: number
        completion_tokens: number
        /**
         * seconds
         */
        use_time: number
        is_stream: boolean
        channel: number
        channel_name: string
        token_id: number
        group: string
        /**
         * JSON text, or empty
         */
        other: string
        /**
         * empty for rows that are not a relay
         */
        request_id: string
      }
      price: {
        /**
         * quota per prompt token
         */
        modelRatio: number
        /**
         * dollars per call; -1 = sold by the token
         */
        modelPrice: number
        completionRatio: number
        cacheRatio: number
        cacheWriteRatio: number
        audioRatio: number
        audioCompletionRatio: number
        groupRatio: number
        /**
         * quota per dollar
         */
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
      /**
       * tools that the upstream ran
       */
      toolCalls: {
        tool: string
        calls: number
        /**
         * dollars per call
         */
        price: number
      }[]
      /**
       * quota that the row says
       */
      charged: number
      /**
       * quota by the computation
       */
      recomputed: number
      equal: boolean
    }
  }
  /**
   * Prove for each user that the balance equals its entries minus its charges
   */
  'GET /api/ledger/verify': {
    data: {
      equal: boolean
      users: number
      /**
       * sum of all balances
       */
      quota: number
      /**
       * sum of all entries
       */
      entries: number
      /**
       * sum of all charges
       */
      charges: number
      differences: {
        user_id: number
        username: string
        /**
         * the balance
         */
        quota: number
        /**
         * the balance by the books
         */
        expected: number
        /**
         * what the row says is held
         */
        held_quota: number
        /**
         * what the processes hold
         */
        expected_held: number
      }[]
      /**
       * other rows that are not what the rows say that they sum up; at most 100 of each kind
       */
      rows: {
        table: string
        /**
         * of the row
         */
        id: string
        /**
         * which sum differs, or what is missing
         */
        what: string
        found: number
        expected: number
        /**
         * whose row it is; 0: nobody’s
         */
        user_id: number
      }[]
    }
  }
  /**
   * Actions of administrators, newest first
   */
  'GET /api/audit': {
    query?: {
      /**
       * a user name, or a user id
       */
      actor?: string
      /**
       * an action, or the part before its dot: user.create, user.update, user.manage, user.quota, user.delete, option.set, option.reset, channel.create, channel.copy, channel.update, channel.status, channel.tag, channel.delete, channel.repair, channel.test, channel.balance, channel.balances, channel.models, token.create, token.update, token.status, token.delete, redemption.create, redemption.read, redemption.update, redemption.status, redemption.delete, redemption.redeem, api-key.create, api-key.revoke, payment.replay, log.clear, ledger.repair, job.start, import.run, import.undo, export.run
       */
      action?: string
      /**
       * an object such as `channel:7`, or a kind of objects
       */
      object?: string
      /**
       * unix seconds, included
       */
      start_timestamp?: number
      /**
       * unix seconds, included
       */
      end_timestamp?: number
      /**
       * only smaller ids: to go on after the last row seen
       */
      before_id?: number
      /**
       * only larger ids, oldest first: what came since
       */
      after_id?: number
      /**
       * 10 if absent, at most 1000
       */
      page_size?: number
    }
    data: {
      id: number
      /**
       * unix seconds
       */
      created_at: number
      /**
       * 0: at a terminal, before there was a root user
       */
      actor_id: number
      /**
       * user name at that time; at a terminal, the operating-system user
       */
      actor: string
      /**
       * IP address, or `terminal`
       */
      address: string
      action: string
      /**
       * kind, or kind:id
       */
      object: string
      before: {
        [k: string]: unknown
      } | null
      after: {
        [k: string]: unknown
      } | null
    }[]
  }
  /**
   * Makes an account; it is not signed in yet
   */
  'POST /api/user/register': {
    query?: {
      /**
       * what the bot check gave the browser; without effect while it is off
       */
      turnstile?: string
    }
    body: {
      /**
       * 1 to 12 characters
       */
      username: string
      /**
       * 8 to 20 characters
       */
      password: string
      /**
       * the password again
       */
      password2?: string
      /**
       * needed while e-mail verification is on, else not stored
       */
      email?: string
      /**
       * the code that was mailed there
       */
      verification_code?: string
      /**
       * invite code of another user
       */
      aff_code?: string
    }
  }
  /**
   * Signs in by name or mail address, and sets the session cookie
   */
  'POST /api/user/login': {
    query?: {
      /**
       * what the bot check gave the browser; without effect while it is off
       */
      turnstile?: string
    }
    body: {
      username: string
      password: string
    }
    data: {
      id: number
      username: string
      password: ''
      display_name: string
      /**
       * 1 common, 10 admin, 100 root
       */
      role: number
      /**
       * 1 enabled, 2 disabled
       */
      status: number
      email: string
      github_id: string
      wechat_id: string
      telegram_id: string
      linux_do_id: string
      /**
       * subject at the OpenID Connect provider
       */
      oidc_id: string
      verification_code: ''
      access_token: string | null
      quota: number
      /**
       * how far below zero the balance may go; absent: not at all
       */
      debt_limit?: number
      used_quota: number
      request_count: number
      group: string
      aff_code: string
      aff_count: number
      aff_quota: number
      aff_history_quota: number
      inviter_id: number
      DeletedAt: string | null
    }
  }
  /**
   * Ends the session
   */
  'GET /api/user/logout': {}
  /**
   * Mails a code that proves an address, for registration or binding
   */
  'GET /api/verification': {
    query?: {
      email?: string
      /**
       * what the bot check gave the browser; without effect while it is off
       */
      turnstile?: string
    }
  }
  /**
   * Mails a link to set a new password
   */
  'GET /api/reset_password': {
    query?: {
      email?: string
      /**
       * what the bot check gave the browser; without effect while it is off
       */
      turnstile?: string
    }
  }
  /**
   * Uses a mailed link up and answers the new password
   */
  'POST /api/user/reset': {
    body: {
      email: string
      /**
       * from the link
       */
      token: string
      /**
       * delete all API keys, too
       */
      revoke_keys?: boolean
    }
    data: string
  }
  /**
   * Your account
   */
  'GET /api/user/self': {
    data: {
      id: number
      username: string
      password: ''
      display_name: string
      /**
       * 1 common, 10 admin, 100 root
       */
      role: number
      /**
       * 1 enabled, 2 disabled
       */
      status: number
      email: string
      github_id: string
      wechat_id: string
      telegram_id: string
      linux_do_id: string
      /**
       * subject at the OpenID Connect provider
       */
      oidc_id: string
      verification_code: ''
      access_token: string | null
      quota: number
      /**
       * how far below zero the balance may go; absent: not at all
       */
      debt_limit?: number
      used_quota: number
      request_count: number
      group: string
      aff_code: string
      aff_count: number
      aff_quota: number
      aff_history_quota: number
      inviter_id: number
      DeletedAt: string | null
    }
  }
  /**
   * Changes what is not empty; a new password ends all other sessions and voids the access token, and needs the current one
   */
  'PUT /api/user/self': {
    body: {
      /**
       * 1 to 12 characters
       */
      username?: string
      /**
       * up to 20 characters
       */
      display_name?: string
      /**
       * 8 to 20 characters, or what PasswordLengthMax allows; not with an access token
       */
      password?: string
      /**
       * needed when the sign-in is older than ten minutes
       */
      current_password?: string
      /**
       * with a new password: delete all API keys, too
       */
      revoke_keys?: boolean
    }
  }
  /**
   * Deletes your account
   */
  'DELETE /api/user/self': {}
  /**
   * Whose access token this is; for programs that do not know their user id yet
   */
  'GET /api/user/identity': {
    data: {
      id: number
      username: string
      role: number
    }
  }
  /**
   * Enters the current password: for ten minutes this session may change credentials, as after a sign-in
   */
  'POST /api/user/self/confirm': {
    body: {
      /**
       * the current one
       */
      password: string
    }
  }
  /**
   * Makes a new system access token; the one before is void. A session needs a sign-in not older than ten minutes
   */
  'GET /api/user/token': {
    data: string
  }
  /**
   * Your invite code
   */
  'GET /api/user/aff': {
    data: string
  }
  /**
   * Moves invite earnings to the balance; with an Idempotency-Key once, however often it is asked
   */
  'POST /api/user/aff_transfer': {
    header?: {
      /**
       * a text of your choice, up to 255 characters. The same key with the same body moves nothing; with another body it is refused. Everybody has keys of their own; they never expire
       */
      'idempotency-key'?: string
    }
    body: {
      quota: number
    }
  }
  /**
   * Stores a mail address that a mailed code proves; needs a sign-in not older than ten minutes
   */
  'GET /api/oauth/email/bind': {
    query?: {
      email?: string
      code?: string
    }
  }
  /**
   * The same for programs, which send the current password
   */
  'PUT /api/user/self/email': {
    body: {
      email: string
      /**
       * of GET /api/verification
       */
      code: string
      /**
       * needed when the sign-in is older than ten minutes
       */
      current_password?: string
    }
  }
  /**
   * Your management keys, newest first, revoked ones included
   */
  'GET /api/api-key/': {
    query?: {
      /**
       * from 1
       */
      p?: number
      page_size?: number
      /**
       * for root: the keys of all users
       */
      everybody?: boolean
    }
    data: {
      items: {
        id: number
        user_id: number
        name: string
        /**
         * the first characters of the key
         */
        key_start: string
        /**
         * such as codes:create, channels:read, logs:*
         */
        scopes: string[]
        /**
         * quota that the key may give away in codes, grants and balances, in all; null: not limited
         */
        quota_max: number | null
        /**
         * of that
         */
        quota_used: number
        /**
         * -1: never
         */
        expires_at: number
        created_at: number
        /**
         * 0: not used yet; to the minute
         */
        last_used_at: number
        /**
         * 0: not revoked
         */
        revoked_at: number
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * Makes a management key, which is answered only now
   */
  'POST /api/api-key/': {
    body: {
      name: string
      /**
       * noun:verb, such as codes:create or channels:read; * stands for every noun or verb
       *
       * @maxItems 100
       */
      scopes: string[]
      quota_max?: number | null
      /**
       * unix seconds; -1: never
       */
      expires_at?: number
    }
    data: {
      id: number
      user_id: number
      name: string
      /**
       * the first characters of the key
       */
      key_start: string
      /**
       * such as codes:create, channels:read, logs:*
       */
      scopes: string[]
      /**
       * quota that the key may give away in codes, grants and balances, in all; null: not limited
       */
      quota_max: number | null
      /**
       * of that
       */
      quota_used: number
      /**
       * -1: never
       */
      expires_at: number
      created_at: number
      /**
       * 0: not used yet; to the minute
       */
      last_used_at: number
      /**
       * 0: not revoked
       */
      revoked_at: number
    } & {
      /**
       * shown only now
       */
      key: string
    }
  }
  /**
   * Makes a management key void, for good
   */
  'DELETE /api/api-key/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      user_id: number
      name: string
      /**
       * the first characters of the key
       */
      key_start: string
      /**
       * such as codes:create, channels:read, logs:*
       */
      scopes: string[]
      /**
       * quota that the key may give away in codes, grants and balances, in all; null: not limited
       */
      quota_max: number | null
      /**
       * of that
       */
      quota_used: number
      /**
       * -1: never
       */
      expires_at: number
      created_at: number
      /**
       * 0: not used yet; to the minute
       */
      last_used_at: number
      /**
       * 0: not revoked
       */
      revoked_at: number
    }
  }
  /**
   * All users, newest first; deleted ones have DeletedAt
   */
  'GET /api/user/': {
    query?: {
      p?: number
      page_size?: number
    }
    data: {
      items: {
        id: number
        username: string
        password: ''
        display_name: string
        /**
         * 1 common, 10 admin, 100 root
         */
        role: number
        /**
         * 1 enabled, 2 disabled
         */
        status: number
        email: string
        github_id: string
        wechat_id: string
        telegram_id: string
        linux_do_id: string
        /**
         * subject at the OpenID Connect provider
         */
        oidc_id: string
        verification_code: ''
        access_token: string | null
        quota: number
        /**
         * how far below zero the balance may go; absent: not at all
         */
        debt_limit?: number
        used_quota: number
        request_count: number
        group: string
        aff_code: string
        aff_count: number
        aff_quota: number
        aff_history_quota: number
        inviter_id: number
        DeletedAt: string | null
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * Makes a common user; with answer=record one of that role
   */
  'POST /api/user/': {
    query?: {
      /**
       * answer the record itself
       */
      answer?: 'record'
      /**
       * with answer=record: the balance to start with
       */
      quota?: number
      /**
       * with answer=record
       */
      group?: string
    }
    body: {
      /**
       * 1 to 12 characters
       */
      username: string
      /**
       * 8 to 20 characters
       */
      password: string
      /**
       * up to 20 characters; the name when it is empty
       */
      display_name?: string
      /**
       * must be below your own; without answer=record not stored
       */
      role?: number
    }
    data: {
      id: number
      username: string
      password: ''
      display_name: string
      /**
       * 1 common, 10 admin, 100 root
       */
      role: number
      /**
       * 1 enabled, 2 disabled
       */
      status: number
      email: string
      github_id: string
      wechat_id: string
      telegram_id: string
      linux_do_id: string
      /**
       * subject at the OpenID Connect provider
       */
      oidc_id: string
      verification_code: ''
      access_token: string | null
      quota: number
      /**
       * how far below zero the balance may go; absent: not at all
       */
      debt_limit?: number
      used_quota: number
      request_count: number
      group: string
      aff_code: string
      aff_count: number
      aff_quota: number
      aff_history_quota: number
      inviter_id: number
      DeletedAt: string | null
    }
  }
  /**
   * Changes a user of a lower level; what is absent stays
   */
  'PUT /api/user/': {
    body: {
      id: number
      /**
       * 1 to 12 characters
       */
      username?: string
      /**
       * up to 20 characters
       */
      display_name?: string
      group?: string
      /**
       * the new balance
       */
      quota?: number
      /**
       * how far below zero the balance may go
       */
      debt_limit?: number
      /**
       * empty: as it is
       */
      password?: string
      /**
       * your own, for a new password of your own account
       */
      current_password?: string
      /**
       * with a new password: delete the user's API keys, too
       */
      revoke_keys?: boolean
      /**
       * must be below your own; not stored
       */
      role?: number
    }
  }
  /**
   * Users by part of name, display name or mail address, or by id, and by group
   */
  'GET /api/user/search': {
    query?: {
      p?: number
      page_size?: number
      keyword?: string
      group?: string
      /**
       * 1, 10 or 100
       */
      role?: number
      /**
       * 1 enabled, 2 disabled; deleted ones have none
       */
      status?: number
      /**
       * only deleted ones, or only the others
       */
      deleted?: boolean
    }
    data: {
      items: {
        id: number
        username: string
        password: ''
        display_name: string
        /**
         * 1 common, 10 admin, 100 root
         */
        role: number
        /**
         * 1 enabled, 2 disabled
         */
        status: number
        email: string
        github_id: string
        wechat_id: string
        telegram_id: string
        linux_do_id: string
        /**
         * subject at the OpenID Connect provider
         */
        oidc_id: string
        verification_code: ''
        access_token: string | null
        quota: number
        /**
         * how far below zero the balance may go; absent: not at all
         */
        debt_limit?: number
        used_quota: number
        request_count: number
        group: string
        aff_code: string
        aff_count: number
        aff_quota: number
        aff_history_quota: number
        inviter_id: number
        DeletedAt: string | null
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * The user of exactly that name
   */
  'GET /api/user/by-name': {
    query: {
      username: string
    }
    data: {
      id: number
      username: string
      password: ''
      display_name: string
      /**
       * 1 common, 10 admin, 100 root
       */
      role: number
      /**
       * 1 enabled, 2 disabled
       */
      status: number
      email: string
      github_id: string
      wechat_id: string
      telegram_id: string
      linux_do_id: string
      /**
       * subject at the OpenID Connect provider
       */
      oidc_id: string
      verification_code: ''
      access_token: string | null
      quota: number
      /**
       * how far below zero the balance may go; absent: not at all
       */
      debt_limit?: number
      used_quota: number
      request_count: number
      group: string
      aff_code: string
      aff_count: number
      aff_quota: number
      aff_history_quota: number
      inviter_id: number
      DeletedAt: string | null
    }
  }
  /**
   * One user of a lower level
   */
  'GET /api/user/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      username: string
      password: ''
      display_name: string
      /**
       * 1 common, 10 admin, 100 root
       */
      role: number
      /**
       * 1 enabled, 2 disabled
       */
      status: number
      email: string
      github_id: string
      wechat_id: string
      telegram_id: string
      linux_do_id: string
      /**
       * subject at the OpenID Connect provider
       */
      oidc_id: string
      verification_code: ''
      access_token: string | null
      quota: number
      /**
       * how far below zero the balance may go; absent: not at all
       */
      debt_limit?: number
      used_quota: number
      request_count: number
      group: string
      aff_code: string
      aff_count: number
      aff_quota: number
      aff_history_quota: number
      inviter_id: number
      DeletedAt: string | null
    }
  }
  /**
   * Removes a user for good
   */
  'DELETE /api/user/:id': {
    path: {
      id: number
    }
  }
  /**
   * Enables, disables, deletes, promotes or demotes a user
   */
  'POST /api/user/manage': {
    query?: {
      /**
       * answer the record itself
       */
      answer?: 'record'
    }
    body: {
      id: number
      /**
       * enable, disable, delete, promote, demote
       */
      action: string
    }
    data: {
      id: number
      username: string
      password: ''
      display_name: string
      /**
       * 1 common, 10 admin, 100 root
       */
      role: number
      /**
       * 1 enabled, 2 disabled
       */
      status: number
      email: string
      github_id: string
      wechat_id: string
      telegram_id: string
      linux_do_id: string
      /**
       * subject at the OpenID Connect provider
       */
      oidc_id: string
      verification_code: ''
      access_token: string | null
      quota: number
      /**
       * how far below zero the balance may go; absent: not at all
       */
      debt_limit?: number
      used_quota: number
      request_count: number
      group: string
      aff_code: string
      aff_count: number
      aff_quota: number
      aff_history_quota: number
      inviter_id: number
      DeletedAt: string | null
    }
  }
  /**
   * Adds to the balance of a user, or takes from it; with an Idempotency-Key once, however often it is asked
   */
  'POST /api/user/:id/quota': {
    path: {
      id: number
    }
    header?: {
      /**
       * a text of your choice, up to 255 characters. The same key with the same body answers the user as it is now and changes nothing; with another body it is refused. Everybody has keys of their own; they never expire
       */
      'idempotency-key'?: string
    }
    body: {
      /**
       * quota; negative: to take
       */
      by: number
    }
    data: {
      id: number
      username: string
      password: ''
      display_name: string
      /**
       * 1 common, 10 admin, 100 root
       */
      role: number
      /**
       * 1 enabled, 2 disabled
       */
      status: number
      email: string
      github_id: string
      wechat_id: string
      telegram_id: string
      linux_do_id: string
      /**
       * subject at the OpenID Connect provider
       */
      oidc_id: string
      verification_code: ''
      access_token: string | null
      quota: number
      /**
       * how far below zero the balance may go; absent: not at all
       */
      debt_limit?: number
      used_quota: number
      request_count: number
      group: string
      aff_code: string
      aff_count: number
      aff_quota: number
      aff_history_quota: number
      inviter_id: number
      DeletedAt: string | null
    }
  }
  /**
   * Begin a sign-in elsewhere: data is the state to send along
   */
  'GET /api/oauth/state': {
    query?: {
      aff?: string
    }
    data: string
  }
  /**
   * Sign in with GitHub, or, signed in already, bind the account there (message: bind)
   */
  'GET /api/oauth/github': {
    query?: {
      code?: string
      state?: string
      error?: string
      error_description?: string
    }
    data: {
      id: number
      username: string
      password: ''
      display_name: string
      /**
       * 1 common, 10 admin, 100 root
       */
      role: number
      /**
       * 1 enabled, 2 disabled
       */
      status: number
      email: string
      github_id: string
      wechat_id: string
      telegram_id: string
      linux_do_id: string
      /**
       * subject at the OpenID Connect provider
       */
      oidc_id: string
      verification_code: ''
      access_token: string | null
      quota: number
      /**
       * how far below zero the balance may go; absent: not at all
       */
      debt_limit?: number
      used_quota: number
      request_count: number
      group: string
      aff_code: string
      aff_count: number
      aff_quota: number
      aff_history_quota: number
      inviter_id: number
      DeletedAt: string | null
    }
  }
  /**
   * Sign in with Linux DO, or, signed in already, bind the account there (message: bind)
   */
  'GET /api/oauth/linuxdo': {
    query?: {
      code?: string
      state?: string
      error?: string
      error_description?: string
    }
    data: {
      id: number
      username: string
      password: ''
      display_name: string
      /**
       * 1 common, 10 admin, 100 root
       */
      role: number
      /**
       * 1 enabled, 2 disabled
       */
      status: number
      email: string
      github_id: string
      wechat_id: string
      telegram_id: string
      linux_do_id: string
      /**
       * subject at the OpenID Connect provider
       */
      oidc_id: string
      verification_code: ''
      access_token: string | null
      quota: number
      /**
       * how far below zero the balance may go; absent: not at all
       */
      debt_limit?: number
      used_quota: number
      request_count: number
      group: string
      aff_code: string
      aff_count: number
      aff_quota: number
      aff_history_quota: number
      inviter_id: number
      DeletedAt: string | null
    }
  }
  /**
   * Sign in with a code from the WeChat account
   */
  'GET /api/oauth/wechat': {
    query?: {
      code?: string
    }
    data: {
      id: number
      username: string
      password: ''
      display_name: string
      /**
       * 1 common, 10 admin, 100 root
       */
      role: number
      /**
       * 1 enabled, 2 disabled
       */
      status: number
      email: string
      github_id: string
      wechat_id: string
      telegram_id: string
      linux_do_id: string
      /**
       * subject at the OpenID Connect provider
       */
      oidc_id: string
      verification_code: ''
      access_token: string | null
      quota: number
      /**
       * how far below zero the balance may go; absent: not at all
       */
      debt_limit?: number
      used_quota: number
      request_count: number
      group: string
      aff_code: string
      aff_count: number
      aff_quota: number
      aff_history_quota: number
      inviter_id: number
      DeletedAt: string | null
    }
  }
  /**
   * Bind a WeChat account to the signed-in user
   */
  'GET /api/oauth/wechat/bind': {
    query?: {
      code?: string
    }
  }
  /**
   * Sign in as the user to whom a Telegram account is bound
   */
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
    data: {
      id: number
      username: string
      password: ''
      display_name: string
      /**
       * 1 common, 10 admin, 100 root
       */
      role: number
      /**
       * 1 enabled, 2 disabled
       */
      status: number
      email: string
      github_id: string
      wechat_id: string
      telegram_id: string
      linux_do_id: string
      /**
       * subject at the OpenID Connect provider
       */
      oidc_id: string
      verification_code: ''
      access_token: string | null
      quota: number
      /**
       * how far below zero the balance may go; absent: not at all
       */
      debt_limit?: number
      used_quota: number
      request_count: number
      group: string
      aff_code: string
      aff_count: number
      aff_quota: number
      aff_history_quota: number
      inviter_id: number
      DeletedAt: string | null
    }
  }
  /**
   * Bind a Telegram account to the signed-in user
   */
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
  /**
   * Begin a sign-in with OpenID Connect: data is the address to send the browser to
   */
  'GET /api/oauth/oidc/start': {
    query?: {
      aff?: string
    }
    data: string
  }
  /**
   * Sign in with OpenID Connect, or, signed in already, bind the account there (message: bind)
   */
  'GET /api/oauth/oidc': {
    query?: {
      code?: string
      state?: string
      error?: string
      error_description?: string
    }
    data: {
      id: number
      username: string
      password: ''
      display_name: string
      /**
       * 1 common, 10 admin, 100 root
       */
      role: number
      /**
       * 1 enabled, 2 disabled
       */
      status: number
      email: string
      github_id: string
      wechat_id: string
      telegram_id: string
      linux_do_id: string
      /**
       * subject at the OpenID Connect provider
       */
      oidc_id: string
      verification_code: ''
      access_token: string | null
      quota: number
      /**
       * how far below zero the balance may go; absent: not at all
       */
      debt_limit?: number
      used_quota: number
      request_count: number
      group: string
      aff_code: string
      aff_count: number
      aff_quota: number
      aff_history_quota: number
      inviter_id: number
      DeletedAt: string | null
    }
  }
  /**
   * Every option with its value in force; secrets are left out
   */
  'GET /api/option/': {
    data: {
      key: string
      /**
       * always text
       */
      value: string
    }[]
  }
  /**
   * Save one option
   */
  'PUT /api/option/': {
    body: {
      key: string
      value?: string
    }
  }
  /**
   * The names of the secret options that have a value
   */
  'GET /api/option/secrets': {
    data: string[]
  }
  /**
   * Forget the operator’s ModelRatio
   */
  'POST /api/option/rest_model_ratio': {}
  /**
   * Forget what was stored: the defaults are in force again
   */
  'POST /api/option/reset': {
    body: {
      /**
       * @minItems 1
       * @maxItems 1000
       */
      keys: string[]
    }
  }
  /**
   * Save several options, all or none
   */
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
  /**
   * Options, groups, limits, prices and channels as a document; secrets are references
   */
  'GET /api/configuration': {
    data: {
      version: 1
      /**
       * options by name; secret ones as env:NAME, file:PATH or command:LINE
       */
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
        /**
         * group of users
         */
        [k: string]: {
          /**
           * GroupRatio: price multiplier
           */
          ratio: number
          /**
           * UserUsableGroups: with it, everybody may choose the group
           */
          description?: string
          /**
           * TopupGroupRatio: price multiplier of top-ups
           */
          topup_ratio?: number
        }
      }
      limits?: {
        /**
         * limits of a group
         */
        [k: string]: {
          /**
           * GroupDebtLimit: quota that each of its users may owe
           */
          debt: number
        }
      }
      prices?: {
        /**
         * price of a model
         */
        [k: string]: {
          /**
           * ModelRatio: 1 is 2 dollars per million prompt tokens
           */
          ratio?: number
          /**
           * CompletionRatio
           */
          completion?: number
          /**
           * CacheRatio: cached prompt tokens
           */
          cache?: number
          /**
           * CacheWriteRatio
           */
          cache_write?: number
          /**
           * ModelPrice: dollars per call, instead of a ratio
           */
          per_call?: number
          /**
           * OutputTokensMax: longest reply
           */
          output_tokens_max?: number
        }
      }
      /**
       * as in a document; the credential is a reference
       */
      channels?: {
        [k: string]: {
          [k: string]: unknown
        }
      }
    }
  }
  /**
   * What would change for a document, and the versions of what is there
   */
  'POST /api/configuration/plan': {
    body: {
      document: TollgateConfiguration
      /**
       * delete what the document does not list, in the sections that it has
       */
      prune?: boolean
    }
    data: {
      changes: {
        section: 'options' | 'groups' | 'limits' | 'prices' | 'channels'
        name: string
        action: 'create' | 'update' | 'delete'
        fields: {
          field: string
          /**
           * absent where there was none
           */
          before?: unknown
          /**
           * absent where there will be none
           */
          after?: unknown
        }[]
        /**
         * of what is there: a change is made only while it is still this
         */
        version: string
      }[]
    }
  }
  /**
   * Make the planned changes, all or none
   */
  'POST /api/configuration/apply': {
    body: {
      document: TollgateConfiguration1
      /**
       * delete what the document does not list, in the sections that it has
       */
      prune?: boolean
      plan: {
        changes: {
          section: 'options' | 'groups' | 'limits' | 'prices' | 'channels'
          name: string
          action: 'create' | 'update' | 'delete'
          fields: {
            field: string
            /**
             * absent where there was none
             */
            before?: unknown
            /**
             * absent where there will be none
             */
            after?: unknown
          }[]
          /**
           * of what is there: a change is made only while it is still this
           */
          version: string
        }[]
      }
    }
    data: {
      changes: {
        section: 'options' | 'groups' | 'limits' | 'prices' | 'channels'
        name: string
        action: 'create' | 'update' | 'delete'
        fields: {
          field: string
          /**
           * absent where there was none
           */
          before?: unknown
          /**
           * absent where there will be none
           */
          after?: unknown
        }[]
        /**
         * of what is there: a change is made only while it is still this
         */
        version: string
      }[]
    }
  }
  /**
   * Announcement, as Markdown
   */
  'GET /api/notice': {
    data: string
  }
  /**
   * The about page: Markdown, HTML or an address
   */
  'GET /api/about': {
    data: string
  }
  /**
   * The home page: Markdown, HTML or an address
   */
  'GET /api/home_page_content': {
    data: string
  }
  /**
   * One page of channels, the first is 0; in tag mode one page of tags
   */
  'GET /api/channel/': {
    query?: {
      p?: number
      page_size?: number
      /**
       * newest first, instead of by priority
       */
      id_sort?: boolean
      /**
       * by tag, with all channels of each
       */
      tag_mode?: boolean
    }
    data: {
      id: number
      type: number
      key: ''
      openai_organization: string | null
      test_model: string | null
      /**
       * 1 enabled, 2 disabled by hand, 3 disabled automatically
       */
      status: number
      name: string
      weight: number
      created_time: number
      test_time: number
      /**
       * milliseconds; 0 untested
       */
      response_time: number
      base_url: string
      other: string
      balance: number
      balance_updated_time: number
      /**
       * comma list
       */
      models: string
      /**
       * comma list
       */
      group: string
      used_quota: number
      /**
       * JSON text; empty for none
       */
      model_mapping: string
      status_code_mapping: string
      priority: number
      auto_ban: number
      other_info: string
      tag: string | null
      setting: string
      /**
       * absent where the channel has one key
       */
      multi_key?: {
        mode: 'random' | 'polling'
        /**
         * how many there are
         */
        keys: number
        set_aside: {
          /**
           * from 1, in the order in which they were given
           */
          index: number
          /**
           * names the key
           */
          digest: string
          reason: string
          /**
           * unix seconds
           */
          time: number
        }[]
      }
    }[]
  }
  /**
   * One channel for each line of the key; asked to answer the record, one channel with a name of its own
   */
  'POST /api/channel/': {
    query?: {
      /**
       * answer the record itself
       */
      answer?: 'record'
    }
    body: {
      name?: string
      base_url?: string
      other?: string
      models?: string
      group?: string
      /**
       * names, or their comma list; goes before `group`
       */
      groups?: string | string[]
      /**
       * JSON text
       */
      model_mapping?: string
      /**
       * JSON text
       */
      status_code_mapping?: string
      /**
       * at least -999
       */
      priority?: number
      /**
       * at least 0
       */
      weight?: number
      tag?: string
      test_model?: string
      openai_organization?: string
      /**
       * 1 if it may be disabled automatically, else 0
       */
      auto_ban?: number
      /**
       * JSON text
       */
      setting?: string
      /**
       * 1 enabled, 2 disabled
       */
      status?: number
      type: number
      key?: string
    }
    data: {
      id: number
      type: number
      key: ''
      openai_organization: string | null
      test_model: string | null
      /**
       * 1 enabled, 2 disabled by hand, 3 disabled automatically
       */
      status: number
      name: string
      weight: number
      created_time: number
      test_time: number
      /**
       * milliseconds; 0 untested
       */
      response_time: number
      base_url: string
      other: string
      balance: number
      balance_updated_time: number
      /**
       * comma list
       */
      models: string
      /**
       * comma list
       */
      group: string
      used_quota: number
      /**
       * JSON text; empty for none
       */
      model_mapping: string
      status_code_mapping: string
      priority: number
      auto_ban: number
      other_info: string
      tag: string | null
      setting: string
      /**
       * absent where the channel has one key
       */
      multi_key?: {
        mode: 'random' | 'polling'
        /**
         * how many there are
         */
        keys: number
        set_aside: {
          /**
           * from 1, in the order in which they were given
           */
          index: number
          /**
           * names the key
           */
          digest: string
          reason: string
          /**
           * unix seconds
           */
          time: number
        }[]
      }
    }
  }
  /**
   * Writes the fields that are sent; an empty key keeps the key
   */
  'PUT /api/channel/': {
    query?: {
      /**
       * clear other and setting when they are empty
       */
      empty?: 'clear'
    }
    body: {
      name?: string
      base_url?: string
      other?: string
      models?: string
      group?: string
      /**
       * names, or their comma list; goes before `group`
       */
      groups?: string | string[]
      /**
       * JSON text
       */
      model_mapping?: string
      /**
       * JSON text
       */
      status_code_mapping?: string
      /**
       * at least -999
       */
      priority?: number
      /**
       * at least 0
       */
      weight?: number
      tag?: string
      test_model?: string
      openai_organization?: string
      /**
       * 1 if it may be disabled automatically, else 0
       */
      auto_ban?: number
      /**
       * JSON text
       */
      setting?: string
      /**
       * 1 enabled, 2 disabled
       */
      status?: number
      id: number
      type?: number
      key?: string
    }
    data: {
      id: number
      type: number
      key: ''
      openai_organization: string | null
      test_model: string | null
      /**
       * 1 enabled, 2 disabled by hand, 3 disabled automatically
       */
      status: number
      name: string
      weight: number
      created_time: number
      test_time: number
      /**
       * milliseconds; 0 untested
       */
      response_time: number
      base_url: string
      other: string
      balance: number
      balance_updated_time: number
      /**
       * comma list
       */
      models: string
      /**
       * comma list
       */
      group: string
      used_quota: number
      /**
       * JSON text; empty for none
       */
      model_mapping: string
      status_code_mapping: string
      priority: number
      auto_ban: number
      other_info: string
      tag: string | null
      setting: string
      /**
       * absent where the channel has one key
       */
      multi_key?: {
        mode: 'random' | 'polling'
        /**
         * how many there are
         */
        keys: number
        set_aside: {
          /**
           * from 1, in the order in which they were given
           */
          index: number
          /**
           * names the key
           */
          digest: string
          reason: string
          /**
           * unix seconds
           */
          time: number
        }[]
      }
    }
  }
  /**
   * One page of channels, with how many there are; by several filters at once. In tag mode one page of tags
   */
  'GET /api/channel/page': {
    query?: {
      /**
       * from 1
       */
      p?: number
      page_size?: number
      /**
       * part of a name, or an id
       */
      keyword?: string
      group?: string
      /**
       * part of the list of models
       */
      model?: string
      tag?: string
      status?: number
      type?: number
      /**
       * comma list; only these
       */
      ids?: string
      /**
       * newest first, instead of by priority
       */
      id_sort?: boolean
      /**
       * by tag, with all channels of each
       */
      tag_mode?: boolean
    }
    data: {
      items: {
        id: number
        type: number
        key: ''
        openai_organization: string | null
        test_model: string | null
        /**
         * 1 enabled, 2 disabled by hand, 3 disabled automatically
         */
        status: number
        name: string
        weight: number
        created_time: number
        test_time: number
        /**
         * milliseconds; 0 untested
         */
        response_time: number
        base_url: string
        other: string
        balance: number
        balance_updated_time: number
        /**
         * comma list
         */
        models: string
        /**
         * comma list
         */
        group: string
        used_quota: number
        /**
         * JSON text; empty for none
         */
        model_mapping: string
        status_code_mapping: string
        priority: number
        auto_ban: number
        other_info: string
        tag: string | null
        setting: string
        /**
         * absent where the channel has one key
         */
        multi_key?: {
          mode: 'random' | 'polling'
          /**
           * how many there are
           */
          keys: number
          set_aside: {
            /**
             * from 1, in the order in which they were given
             */
            index: number
            /**
             * names the key
             */
            digest: string
            reason: string
            /**
             * unix seconds
             */
            time: number
          }[]
        }
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * Channels by id, part of the name or whole key; by part of their models; by group
   */
  'GET /api/channel/search': {
    query?: {
      keyword?: string
      /**
       * empty or null: any
       */
      group?: string
      model?: string
      /**
       * newest first, instead of by priority
       */
      id_sort?: boolean
      /**
       * by tag, with all channels of each
       */
      tag_mode?: boolean
    }
    data: {
      id: number
      type: number
      key: ''
      openai_organization: string | null
      test_model: string | null
      /**
       * 1 enabled, 2 disabled by hand, 3 disabled automatically
       */
      status: number
      name: string
      weight: number
      created_time: number
      test_time: number
      /**
       * milliseconds; 0 untested
       */
      response_time: number
      base_url: string
      other: string
      balance: number
      balance_updated_time: number
      /**
       * comma list
       */
      models: string
      /**
       * comma list
       */
      group: string
      used_quota: number
      /**
       * JSON text; empty for none
       */
      model_mapping: string
      status_code_mapping: string
      priority: number
      auto_ban: number
      other_info: string
      tag: string | null
      setting: string
      /**
       * absent where the channel has one key
       */
      multi_key?: {
        mode: 'random' | 'polling'
        /**
         * how many there are
         */
        keys: number
        set_aside: {
          /**
           * from 1, in the order in which they were given
           */
          index: number
          /**
           * names the key
           */
          digest: string
          reason: string
          /**
           * unix seconds
           */
          time: number
        }[]
      }
    }[]
  }
  /**
   * One channel
   */
  'GET /api/channel/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      type: number
      key: ''
      openai_organization: string | null
      test_model: string | null
      /**
       * 1 enabled, 2 disabled by hand, 3 disabled automatically
       */
      status: number
      name: string
      weight: number
      created_time: number
      test_time: number
      /**
       * milliseconds; 0 untested
       */
      response_time: number
      base_url: string
      other: string
      balance: number
      balance_updated_time: number
      /**
       * comma list
       */
      models: string
      /**
       * comma list
       */
      group: string
      used_quota: number
      /**
       * JSON text; empty for none
       */
      model_mapping: string
      status_code_mapping: string
      priority: number
      auto_ban: number
      other_info: string
      tag: string | null
      setting: string
      /**
       * absent where the channel has one key
       */
      multi_key?: {
        mode: 'random' | 'polling'
        /**
         * how many there are
         */
        keys: number
        set_aside: {
          /**
           * from 1, in the order in which they were given
           */
          index: number
          /**
           * names the key
           */
          digest: string
          reason: string
          /**
           * unix seconds
           */
          time: number
        }[]
      }
    }
  }
  /**
   * Deletes one channel for good
   */
  'DELETE /api/channel/:id': {
    path: {
      id: number
    }
  }
  /**
   * Deletes all disabled channels; answers how many
   */
  'DELETE /api/channel/disabled': {
    data: number
  }
  /**
   * Deletes these channels; answers how many were named
   */
  'POST /api/channel/batch': {
    body: {
      ids: number[]
    }
    data: number
  }
  /**
   * Makes the abilities agree with the channels; answers how many channels there are, plus how many were wrong
   */
  'POST /api/channel/fix': {
    query?: {
      /**
       * answer the record itself
       */
      answer?: 'record'
    }
    data:
      | number
      | {
          channels: number
          repaired: number
        }
  }
  /**
   * Makes all these channels, or none when one would be refused; answers which, and why
   */
  'POST /api/channel/several': {
    query?: {
      /**
       * make none, only say what would be refused
       */
      check?: boolean
    }
    body: {
      channels: {
        /**
         * text
         */
        name?: unknown
        /**
         * whole number
         */
        type?: unknown
        /**
         * text
         */
        key?: unknown
        /**
         * text
         */
        models?: unknown
        /**
         * text
         */
        base_url?: unknown
        /**
         * text
         */
        other?: unknown
        /**
         * text
         */
        group?: unknown
        /**
         * text
         */
        model_mapping?: unknown
        /**
         * text
         */
        status_code_mapping?: unknown
        /**
         * whole number
         */
        priority?: unknown
        /**
         * whole number
         */
        weight?: unknown
        /**
         * text
         */
        tag?: unknown
        /**
         * text
         */
        test_model?: unknown
        /**
         * text
         */
        openai_organization?: unknown
        /**
         * whole number
         */
        auto_ban?: unknown
        /**
         * text
         */
        setting?: unknown
        /**
         * whole number
         */
        status?: unknown
      }[]
    }
    data: {
      created: {
        id: number
        type: number
        key: ''
        openai_organization: string | null
        test_model: string | null
        /**
         * 1 enabled, 2 disabled by hand, 3 disabled automatically
         */
        status: number
        name: string
        weight: number
        created_time: number
        test_time: number
        /**
         * milliseconds; 0 untested
         */
        response_time: number
        base_url: string
        other: string
        balance: number
        balance_updated_time: number
        /**
         * comma list
         */
        models: string
        /**
         * comma list
         */
        group: string
        used_quota: number
        /**
         * JSON text; empty for none
         */
        model_mapping: string
        status_code_mapping: string
        priority: number
        auto_ban: number
        other_info: string
        tag: string | null
        setting: string
        /**
         * absent where the channel has one key
         */
        multi_key?: {
          mode: 'random' | 'polling'
          /**
           * how many there are
           */
          keys: number
          set_aside: {
            /**
             * from 1, in the order in which they were given
             */
            index: number
            /**
             * names the key
             */
            digest: string
            reason: string
            /**
             * unix seconds
             */
            time: number
          }[]
        }
      }[]
      refused: {
        /**
         * place in the list, from 0
         */
        at: number
        code: string
        kind: string
        params: {
          [k: string]: unknown
        }
        message: string
      }[]
    }
  }
  /**
   * Enables or disables all these channels, or none; answers how many
   */
  'POST /api/channel/batch/status': {
    body: {
      ids: number[]
      /**
       * 1 enabled, 2 disabled
       */
      status: number
    }
    data: number
  }
  /**
   * The same account once more, key and all, under another name
   */
  'POST /api/channel/:id/copy': {
    path: {
      id: number
    }
    body: {
      /**
       * absent: one that is free
       */
      name?: string
    }
    data: {
      id: number
      type: number
      key: ''
      openai_organization: string | null
      test_model: string | null
      /**
       * 1 enabled, 2 disabled by hand, 3 disabled automatically
       */
      status: number
      name: string
      weight: number
      created_time: number
      test_time: number
      /**
       * milliseconds; 0 untested
       */
      response_time: number
      base_url: string
      other: string
      balance: number
      balance_updated_time: number
      /**
       * comma list
       */
      models: string
      /**
       * comma list
       */
      group: string
      used_quota: number
      /**
       * JSON text; empty for none
       */
      model_mapping: string
      status_code_mapping: string
      priority: number
      auto_ban: number
      other_info: string
      tag: string | null
      setting: string
      /**
       * absent where the channel has one key
       */
      multi_key?: {
        mode: 'random' | 'polling'
        /**
         * how many there are
         */
        keys: number
        set_aside: {
          /**
           * from 1, in the order in which they were given
           */
          index: number
          /**
           * names the key
           */
          digest: string
          reason: string
          /**
           * unix seconds
           */
          time: number
        }[]
      }
    }
  }
  /**
   * All channels of a tag become enabled
   */
  'POST /api/channel/tag/enabled': {
    body: {
      tag: string
    }
  }
  /**
   * All channels of a tag become disabled
   */
  'POST /api/channel/tag/disabled': {
    body: {
      tag: string
    }
  }
  /**
   * Writes fields of all channels of a tag; an empty new_tag takes the tag away
   */
  'PUT /api/channel/tag': {
    body: {
      tag?: string
      new_tag?: string
      models?: string
      /**
       * names, or their comma list; goes before `group`
       */
      groups?: string | string[]
      /**
       * JSON text
       */
      model_mapping?: string
      /**
       * at least -999
       */
      priority?: number
      /**
       * at least 0
       */
      weight?: number
    }
  }
  /**
   * Labels these channels, null takes the label away; answers how many were named
   */
  'POST /api/channel/batch/tag': {
    body: {
      ids: number[]
      tag?: string | null
    }
    data: number
  }
  /**
   * All that is not well: circuits that are not closed, and disabled channels
   */
  'GET /api/channel/health': {
    data: {
      circuits: {
        channel_id: number
        channel_name: string
        /**
         * the process
         */
        node_id: string
        /**
         * what it is of: the channel, one of its keys, a model in a format, the rate of a model
         */
        scope: 'channel' | 'key' | 'model' | 'limit'
        /**
         * empty for the channel; the model, or the key's digest
         */
        subject: string
        /**
         * half-open: the next attempt is a probe
         */
        state: 'open' | 'half-open'
        /**
         * account, limited, unreachable, server or model
         */
        class: string
        reason: string
        /**
         * unix seconds
         */
        since: number
        /**
         * unix seconds
         */
        retry_at: number
      }[]
      disabled: {
        channel_id: number
        channel_name: string
        /**
         * 2 disabled by hand, 3 disabled automatically
         */
        status: number
        reason: string
        /**
         * unix seconds; 0 unknown
         */
        since: number
      }[]
    }
  }
  /**
   * The health of one channel, and its history, newest first
   */
  'GET /api/channel/:id/health': {
    path: {
      id: number
    }
    data: {
      channel_id: number
      channel_name: string
      status: number
      /**
       * enabled, and no circuit of it is open
       */
      healthy: boolean
      circuits: {
        channel_id: number
        channel_name: string
        /**
         * the process
         */
        node_id: string
        /**
         * what it is of: the channel, one of its keys, a model in a format, the rate of a model
         */
        scope: 'channel' | 'key' | 'model' | 'limit'
        /**
         * empty for the channel; the model, or the key's digest
         */
        subject: string
        /**
         * half-open: the next attempt is a probe
         */
        state: 'open' | 'half-open'
        /**
         * account, limited, unreachable, server or model
         */
        class: string
        reason: string
        /**
         * unix seconds
         */
        since: number
        /**
         * unix seconds
         */
        retry_at: number
      }[]
      disabled: {
        channel_id: number
        channel_name: string
        /**
         * 2 disabled by hand, 3 disabled automatically
         */
        status: number
        reason: string
        /**
         * unix seconds; 0 unknown
         */
        since: number
      } | null
      events: {
        id: number
        channel_id: number
        created_at: number
        node_id: string
        /**
         * opened, closed, disabled, enabled, key-disabled or key-enabled
         */
        event: string
        /**
         * what it is of: the channel, one of its keys, a model in a format, the rate of a model
         */
        scope: 'channel' | 'key' | 'model' | 'limit'
        subject: string
        /**
         * of a circuit, what it has seen; of a status, manual or automatic
         */
        class: string
        reason: string
      }[]
    }
  }
  /**
   * Sends one small request through a channel
   */
  'GET /api/channel/test/:id': {
    path: {
      id: number
    }
    query?: {
      model?: string
      /**
       * digest of one of several keys
       */
      key?: string
      /**
       * answer the record itself
       */
      answer?: 'record'
    }
    /**
     * how the test went, whether it failed or not, where the record is asked for
     */
    data: {
      success: boolean
      /**
       * why it failed
       */
      message: string
      /**
       * seconds
       */
      time: number
      model: string
    }
    answer: {
      success: boolean
      message: string
      /**
       * seconds
       */
      time?: number
      /**
       * how the test went, whether it failed or not, where the record is asked for
       */
      data?: {
        success: boolean
        /**
         * why it failed
         */
        message: string
        /**
         * seconds
         */
        time: number
        model: string
      }
    }
  }
  /**
   * Starts to test all channels, one after the other
   */
  'GET /api/channel/test': {}
  /**
   * Asks what is left in the account at the provider
   */
  'GET /api/channel/update_balance/:id': {
    path: {
      id: number
    }
    answer: {
      success: boolean
      message: string
      /**
       * in the provider's currency
       */
      balance?: number
    }
  }
  /**
   * Asks the same of all enabled channels, and disables those with nothing left
   */
  'GET /api/channel/update_balance': {}
  /**
   * All built-in model names; one that several kinds of channels have is there several times
   */
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
  /**
   * Every kind of upstream: what its channels need, and what a new one serves
   */
  'GET /api/channel/types': {
    data: {
      type: number
      name: string
      /**
       * its word on the command line; empty where it cannot be relayed
       */
      slug: string
      /**
       * meant for new channels
       */
      offered: boolean
      /**
       * why it cannot be relayed; empty where it can
       */
      retired: string
      /**
       * the vendor's address; empty where only the operator knows one
       */
      base_url: string
      base_url_required: boolean
      /**
       * the vendor's own word for the address, if any
       */
      base_url_name: string
      base_url_example: string
      /**
       * the address is that of the endpoint, {model} in it stands for the model
       */
      complete_url: boolean
      key_format: string
      /**
       * the key may be a JSON document
       */
      key_document: boolean
      /**
       * what to call the field other; empty where it has no meaning
       */
      other_name: string
      /**
       * what it means
       */
      other: string
      /**
       * what an empty one stands for
       */
      other_default: string
      other_required: boolean
      /**
       * openai_organization is sent
       */
      organization: boolean
      /**
       * the vendor tells which models it has
       */
      model_list: boolean
      /**
       * what a new channel serves unless somebody says otherwise
       */
      models: string[]
    }[]
  }
  /**
   * The models of a channel's upstream
   */
  'GET /api/channel/fetch_models/:id': {
    path: {
      id: number
    }
    data: string[]
  }
  /**
   * The models of an upstream by its address; makes the gateway call an address of the caller's choice
   */
  'POST /api/channel/fetch_models': {
    body: {
      base_url?: string
      type: number
      key?: string
    }
    data: string[]
  }
  /**
   * The own tokens
   */
  'GET /api/token/': {
    query?: {
      /**
       * from 0
       */
      p?: number
      size?: number
    }
    data: {
      id: number
      user_id: number
      /**
       * of the owner, in lists of others' tokens
       */
      username?: string
      key: string
      /**
       * 1 enabled, 2 disabled, 3 expired, 4 exhausted
       */
      status: number
      name: string
      created_time: number
      accessed_time: number
      /**
       * unix seconds, -1 never
       */
      expired_time: number
      remain_quota: number
      unlimited_quota: boolean
      model_limits_enabled: boolean
      /**
       * comma list
       */
      model_limits: string
      /**
       * one address or range per line
       */
      allow_ips: string
      used_quota: number
      /**
       * responses are stored for clients that go on from them
       */
      store_responses: boolean
      /**
       * empty: the owner's group
       */
      group: string
      DeletedAt: string | null
    }[]
  }
  /**
   * Make a token
   */
  'POST /api/token/': {
    query?: {
      /**
       * answer the record itself
       */
      answer?: 'record'
      /**
       * refuse a name that the owner has given already
       */
      unique_name?: boolean
      /**
       * for root: whose it will be
       */
      user_id?: number
    }
    body: {
      name: string
      /**
       * unix seconds, -1 never
       */
      expired_time?: number
      remain_quota?: number
      unlimited_quota?: boolean
      model_limits_enabled?: boolean
      /**
       * comma list
       */
      model_limits?: string
      /**
       * one address or range per line
       */
      allow_ips?: string
      /**
       * empty: the owner's group
       */
      group?: string
      /**
       * store responses for clients that go on from them; of a new token: true
       */
      store_responses?: boolean
    }
    data: {
      id: number
      user_id: number
      /**
       * of the owner, in lists of others' tokens
       */
      username?: string
      key: string
      /**
       * 1 enabled, 2 disabled, 3 expired, 4 exhausted
       */
      status: number
      name: string
      created_time: number
      accessed_time: number
      /**
       * unix seconds, -1 never
       */
      expired_time: number
      remain_quota: number
      unlimited_quota: boolean
      model_limits_enabled: boolean
      /**
       * comma list
       */
      model_limits: string
      /**
       * one address or range per line
       */
      allow_ips: string
      used_quota: number
      /**
       * responses are stored for clients that go on from them
       */
      store_responses: boolean
      /**
       * empty: the owner's group
       */
      group: string
      DeletedAt: string | null
    }
  }
  /**
   * Change a token; what is absent stays as it is
   */
  'PUT /api/token/': {
    query?: {
      /**
       * for root: also the tokens of others, whose keys it is not told
       */
      everybody?: boolean
      /**
       * not empty: change the status alone
       */
      status_only?: string
    }
    body: {
      id: number
      name?: string
      status?: number
      /**
       * unix seconds, -1 never
       */
      expired_time?: number
      remain_quota?: number
      unlimited_quota?: boolean
      model_limits_enabled?: boolean
      /**
       * comma list
       */
      model_limits?: string
      /**
       * one address or range per line
       */
      allow_ips?: string
      /**
       * empty: the owner's group
       */
      group?: string
      /**
       * store responses for clients that go on from them; of a new token: true
       */
      store_responses?: boolean
    }
    data: {
      id: number
      user_id: number
      /**
       * of the owner, in lists of others' tokens
       */
      username?: string
      key: string
      /**
       * 1 enabled, 2 disabled, 3 expired, 4 exhausted
       */
      status: number
      name: string
      created_time: number
      accessed_time: number
      /**
       * unix seconds, -1 never
       */
      expired_time: number
      remain_quota: number
      unlimited_quota: boolean
      model_limits_enabled: boolean
      /**
       * comma list
       */
      model_limits: string
      /**
       * one address or range per line
       */
      allow_ips: string
      used_quota: number
      /**
       * responses are stored for clients that go on from them
       */
      store_responses: boolean
      /**
       * empty: the owner's group
       */
      group: string
      DeletedAt: string | null
    }
  }
  /**
   * The own tokens, with how many there are; for root also those of others
   */
  'GET /api/token/page': {
    query?: {
      /**
       * from 1
       */
      p?: number
      page_size?: number
      keyword?: string
      /**
       * for root; 0 is everybody
       */
      user_id?: number
    }
    data: {
      items: {
        id: number
        user_id: number
        /**
         * of the owner, in lists of others' tokens
         */
        username?: string
        key: string
        /**
         * 1 enabled, 2 disabled, 3 expired, 4 exhausted
         */
        status: number
        name: string
        created_time: number
        accessed_time: number
        /**
         * unix seconds, -1 never
         */
        expired_time: number
        remain_quota: number
        unlimited_quota: boolean
        model_limits_enabled: boolean
        /**
         * comma list
         */
        model_limits: string
        /**
         * one address or range per line
         */
        allow_ips: string
        used_quota: number
        /**
         * responses are stored for clients that go on from them
         */
        store_responses: boolean
        /**
         * empty: the owner's group
         */
        group: string
        DeletedAt: string | null
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * The own tokens by parts of name and key
   */
  'GET /api/token/search': {
    query?: {
      keyword?: string
      token?: string
    }
    data: {
      id: number
      user_id: number
      /**
       * of the owner, in lists of others' tokens
       */
      username?: string
      key: string
      /**
       * 1 enabled, 2 disabled, 3 expired, 4 exhausted
       */
      status: number
      name: string
      created_time: number
      accessed_time: number
      /**
       * unix seconds, -1 never
       */
      expired_time: number
      remain_quota: number
      unlimited_quota: boolean
      model_limits_enabled: boolean
      /**
       * comma list
       */
      model_limits: string
      /**
       * one address or range per line
       */
      allow_ips: string
      used_quota: number
      /**
       * responses are stored for clients that go on from them
       */
      store_responses: boolean
      /**
       * empty: the owner's group
       */
      group: string
      DeletedAt: string | null
    }[]
  }
  /**
   * The own tokens by parts of name and key, with the key in the body, where no log has it
   */
  'POST /api/token/find': {
    body: {
      keyword?: string
      token?: string
    }
    data: {
      id: number
      user_id: number
      /**
       * of the owner, in lists of others' tokens
       */
      username?: string
      key: string
      /**
       * 1 enabled, 2 disabled, 3 expired, 4 exhausted
       */
      status: number
      name: string
      created_time: number
      accessed_time: number
      /**
       * unix seconds, -1 never
       */
      expired_time: number
      remain_quota: number
      unlimited_quota: boolean
      model_limits_enabled: boolean
      /**
       * comma list
       */
      model_limits: string
      /**
       * one address or range per line
       */
      allow_ips: string
      used_quota: number
      /**
       * responses are stored for clients that go on from them
       */
      store_responses: boolean
      /**
       * empty: the owner's group
       */
      group: string
      DeletedAt: string | null
    }[]
  }
  /**
   * One of the own tokens; for root also of others
   */
  'GET /api/token/:id': {
    path: {
      id: number
    }
    query?: {
      /**
       * for root: also the tokens of others, whose keys it is not told
       */
      everybody?: boolean
    }
    data: {
      id: number
      user_id: number
      /**
       * of the owner, in lists of others' tokens
       */
      username?: string
      key: string
      /**
       * 1 enabled, 2 disabled, 3 expired, 4 exhausted
       */
      status: number
      name: string
      created_time: number
      accessed_time: number
      /**
       * unix seconds, -1 never
       */
      expired_time: number
      remain_quota: number
      unlimited_quota: boolean
      model_limits_enabled: boolean
      /**
       * comma list
       */
      model_limits: string
      /**
       * one address or range per line
       */
      allow_ips: string
      used_quota: number
      /**
       * responses are stored for clients that go on from them
       */
      store_responses: boolean
      /**
       * empty: the owner's group
       */
      group: string
      DeletedAt: string | null
    }
  }
  /**
   * Delete a token for good
   */
  'DELETE /api/token/:id': {
    path: {
      id: number
    }
    query?: {
      /**
       * for root: also the tokens of others, whose keys it is not told
       */
      everybody?: boolean
    }
  }
  /**
   * Codes, newest first
   */
  'GET /api/redemption/': {
    query?: {
      /**
       * from 1; 0 is the first page too
       */
      p?: number
      page_size?: number
      /**
       * 0 is every status
       */
      status?: number
      /**
       * the whole name
       */
      name?: string
      /**
       * only smaller ids: to go on after the last row seen
       */
      before_id?: number
    }
    data: {
      items: {
        id: number
        /**
         * creator
         */
        user_id: number
        key: string
        /**
         * 1 unused, 2 disabled, 3 used
         */
        status: number
        name: string
        quota: number
        created_time: number
        /**
         * 0 = not yet
         */
        redeemed_time: number
        /**
         * always 0; part of a request only
         */
        count: number
        used_user_id: number
        DeletedAt: string | null
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * Make codes, all or none; with an Idempotency-Key once, however often it is asked
   */
  'POST /api/redemption/': {
    header?: {
      /**
       * a text of your choice, up to 255 characters. The same key with the same body answers the same codes and makes none; with another body it is refused. Everybody has keys of their own; they never expire
       */
      'idempotency-key'?: string
    }
    body: {
      name?: string
      quota: number
      /**
       * 1 to 100
       */
      count?: number
      /**
       * how many the whole batch has when it takes several calls; a part of what an Idempotency-Key stands for
       */
      total?: number
    }
    data: string[]
  }
  /**
   * Change an unused code
   */
  'PUT /api/redemption/': {
    query?: {
      /**
       * not empty: change the status alone
       */
      status_only?: string
    }
    body: {
      id: number
      name?: string
      quota?: number
      status?: number
    }
    data: {
      id: number
      /**
       * creator
       */
      user_id: number
      key: string
      /**
       * 1 unused, 2 disabled, 3 used
       */
      status: number
      name: string
      quota: number
      created_time: number
      /**
       * 0 = not yet
       */
      redeemed_time: number
      /**
       * always 0; part of a request only
       */
      count: number
      used_user_id: number
      DeletedAt: string | null
    }
  }
  /**
   * Codes by the start of their name, or by id
   */
  'GET /api/redemption/search': {
    query?: {
      /**
       * from 1; 0 is the first page too
       */
      p?: number
      page_size?: number
      /**
       * 0 is every status
       */
      status?: number
      /**
       * the whole name
       */
      name?: string
      /**
       * only smaller ids: to go on after the last row seen
       */
      before_id?: number
      keyword?: string
    }
    data: {
      items: {
        id: number
        /**
         * creator
         */
        user_id: number
        key: string
        /**
         * 1 unused, 2 disabled, 3 used
         */
        status: number
        name: string
        quota: number
        created_time: number
        /**
         * 0 = not yet
         */
        redeemed_time: number
        /**
         * always 0; part of a request only
         */
        count: number
        used_user_id: number
        DeletedAt: string | null
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * One code
   */
  'GET /api/redemption/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      /**
       * creator
       */
      user_id: number
      key: string
      /**
       * 1 unused, 2 disabled, 3 used
       */
      status: number
      name: string
      quota: number
      created_time: number
      /**
       * 0 = not yet
       */
      redeemed_time: number
      /**
       * always 0; part of a request only
       */
      count: number
      used_user_id: number
      DeletedAt: string | null
    }
  }
  /**
   * Delete a code
   */
  'DELETE /api/redemption/:id': {
    path: {
      id: number
    }
  }
  /**
   * The codes that calls with an Idempotency-Key have made, up to the first that has made none
   */
  'POST /api/redemption/made': {
    body: {
      name: string
      quota: number
      /**
       * how many the whole batch has
       */
      total: number
      /**
       * the Idempotency-Key of each call, in their order; up to 1000
       */
      idempotency_keys: string[]
    }
    data: {
      codes: string[]
      /**
       * of these
       */
      used: number
      /**
       * of these
       */
      disabled: number
      /**
       * of these: they are worth nothing any more
       */
      deleted: number
    }
  }
  /**
   * Delete all codes of a name; answers how many
   */
  'DELETE /api/redemption/named': {
    query: {
      /**
       * the whole name
       */
      name: string
    }
    data: number
  }
  /**
   * What a top-up costs
   */
  'POST /api/user/amount': {
    body: {
      /**
       * whole dollars; quota while quota is not shown in dollars
       */
      amount: number
      /**
       * ignored
       */
      top_up_code?: string
    }
    /**
     * two decimals
     */
    data: string
  }
  /**
   * Order a top-up
   */
  'POST /api/user/pay': {
    body: {
      /**
       * whole dollars; quota while quota is not shown in dollars
       */
      amount: number
      /**
       * ignored
       */
      top_up_code?: string
      /**
       * zfb or wx
       */
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
      /**
       * success or error
       */
      message: string
      /**
       * where a browser posts the form to
       */
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
  /**
   * Turn a redemption code into quota
   */
  'POST /api/user/topup': {
    body: {
      key: string
    }
    /**
     * quota added
     */
    data: number
  }
  /**
   * Everybody's orders, newest first
   */
  'GET /api/topup/': {
    query?: {
      p?: number
      page_size?: number
      status?: string
      username?: string
      trade_no?: string
    }
    data: {
      items: {
        id: number
        user_id: number
        /**
         * empty when the account is gone
         */
        username: string
        /**
         * whole dollars
         */
        amount: number
        /**
         * to pay, in the currency of the payment gateway
         */
        money: number
        /**
         * what the balance gains; fixed when the order was made
         */
        quota: number
        trade_no: string
        /**
         * zfb or wx; empty for an imported order
         */
        payment_method: string
        /**
         * pending or success
         */
        status: string
        /**
         * unix seconds
         */
        create_time: number
        /**
         * unix seconds; 0 = not yet
         */
        complete_time: number
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * The own orders, newest first
   */
  'GET /api/topup/self': {
    query?: {
      p?: number
      page_size?: number
    }
    data: {
      items: {
        id: number
        user_id: number
        /**
         * empty when the account is gone
         */
        username: string
        /**
         * whole dollars
         */
        amount: number
        /**
         * to pay, in the currency of the payment gateway
         */
        money: number
        /**
         * what the balance gains; fixed when the order was made
         */
        quota: number
        trade_no: string
        /**
         * zfb or wx; empty for an imported order
         */
        payment_method: string
        /**
         * pending or success
         */
        status: string
        /**
         * unix seconds
         */
        create_time: number
        /**
         * unix seconds; 0 = not yet
         */
        complete_time: number
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * Notifications of the payment gateway with their verdicts, newest first
   */
  'GET /api/topup/callbacks': {
    query?: {
      p?: number
      page_size?: number
      trade_no?: string
      verdict?: string
    }
    data: {
      items: {
        id: number
        trade_no: string
        params: {
          [k: string]: string
        }
        /**
         * who sent it; empty for a replay, and for what is no address
         */
        ip: string
        /**
         * credited, repeated, ignored, refused, failed
         */
        verdict: string
        /**
         * why, in one word; empty when it was credited
         */
        reason: string
        /**
         * the callback that was judged again; 0 = it came from outside
         */
        replay_of: number
        /**
         * who had it judged again; 0 = nobody
         */
        actor_id: number
        /**
         * unix seconds
         */
        created_at: number
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * Judge a notification again, by the settings of now
   */
  'POST /api/topup/callbacks/:id/replay': {
    path: {
      id: number
    }
    data: {
      id: number
      trade_no: string
      params: {
        [k: string]: string
      }
      /**
       * who sent it; empty for a replay, and for what is no address
       */
      ip: string
      /**
       * credited, repeated, ignored, refused, failed
       */
      verdict: string
      /**
       * why, in one word; empty when it was credited
       */
      reason: string
      /**
       * the callback that was judged again; 0 = it came from outside
       */
      replay_of: number
      /**
       * who had it judged again; 0 = nobody
       */
      actor_id: number
      /**
       * unix seconds
       */
      created_at: number
    }
  }
  /**
   * Everybody's consumption added up, or one user's
   */
  'GET /api/data/': {
    query?: {
      /**
       * unix seconds, inclusive
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; absent is 0, which finds nothing
       */
      end_timestamp?: number
      username?: string
    }
    data: {
      /**
       * 0 in everybody's sums
       */
      id: number
      /**
       * 0 in everybody's sums
       */
      user_id: number
      /**
       * empty in everybody's sums
       */
      username: string
      model_name: string
      /**
       * start of the hour, unix seconds
       */
      created_at: number
      token_used: number
      count: number
      quota: number
    }[]
  }
  /**
   * The own consumption of at most 30 days
   */
  'GET /api/data/self': {
    query?: {
      /**
       * unix seconds, inclusive
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; absent is 0, which finds nothing
       */
      end_timestamp?: number
    }
    data: {
      /**
       * 0 in everybody's sums
       */
      id: number
      /**
       * 0 in everybody's sums
       */
      user_id: number
      /**
       * empty in everybody's sums
       */
      username: string
      model_name: string
      /**
       * start of the hour, unix seconds
       */
      created_at: number
      token_used: number
      count: number
      quota: number
    }[]
  }
  /**
   * Drawings
   */
  'GET /api/mj/': {
    query?: {
      /**
       * from 0, ten rows each
       */
      p?: number
      /**
       * for administrators
       */
      channel_id?: number
      /**
       * unix milliseconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix milliseconds, inclusive; 0 is open
       */
      end_timestamp?: number
      mj_id?: string
    }
    data: {
      id: number
      /**
       * 1 submitted, 21 exists, 22 queued, 23 queue full, 24 banned word
       */
      code: number
      user_id: number
      action: string
      mj_id: string
      prompt: string
      prompt_en: string
      description: string
      state: string
      /**
       * unix milliseconds
       */
      submit_time: number
      /**
       * unix milliseconds
       */
      start_time: number
      /**
       * unix milliseconds
       */
      finish_time: number
      image_url: string
      status: string
      progress: string
      fail_reason: string
      channel_id: number
      quota: number
      /**
       * JSON text
       */
      buttons: string
      /**
       * JSON text
       */
      properties: string
    }[]
  }
  /**
   * Own drawings
   */
  'GET /api/mj/self': {
    query?: {
      /**
       * from 0, ten rows each
       */
      p?: number
      /**
       * for administrators
       */
      channel_id?: number
      /**
       * unix milliseconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix milliseconds, inclusive; 0 is open
       */
      end_timestamp?: number
      mj_id?: string
    }
    data: {
      id: number
      /**
       * 1 submitted, 21 exists, 22 queued, 23 queue full, 24 banned word
       */
      code: number
      user_id: number
      action: string
      mj_id: string
      prompt: string
      prompt_en: string
      description: string
      state: string
      /**
       * unix milliseconds
       */
      submit_time: number
      /**
       * unix milliseconds
       */
      start_time: number
      /**
       * unix milliseconds
       */
      finish_time: number
      image_url: string
      status: string
      progress: string
      fail_reason: string
      channel_id: number
      quota: number
      /**
       * JSON text
       */
      buttons: string
      /**
       * JSON text
       */
      properties: string
    }[]
  }
  /**
   * Tasks
   */
  'GET /api/task/': {
    query?: {
      /**
       * from 0, ten rows each
       */
      p?: number
      /**
       * for administrators
       */
      channel_id?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
      task_id?: string
      platform?: string
      status?: string
      action?: string
    }
    data: {
      id: number
      created_at: number
      updated_at: number
      task_id: string
      platform: string
      user_id: number
      /**
       * 0 in the own list
       */
      channel_id: number
      quota: number
      action: string
      status: string
      fail_reason: string
      submit_time: number
      start_time: number
      finish_time: number
      /**
       * 0% to 100%
       */
      progress: string
      /**
       * {input: text}
       */
      properties: {
        [k: string]: unknown
      }
      /**
       * the upstream's result, null until it is known
       */
      data: unknown
    }[]
  }
  /**
   * Own tasks
   */
  'GET /api/task/self': {
    query?: {
      /**
       * from 0, ten rows each
       */
      p?: number
      /**
       * for administrators
       */
      channel_id?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
      task_id?: string
      platform?: string
      status?: string
      action?: string
    }
    data: {
      id: number
      created_at: number
      updated_at: number
      task_id: string
      platform: string
      user_id: number
      /**
       * 0 in the own list
       */
      channel_id: number
      quota: number
      action: string
      status: string
      fail_reason: string
      submit_time: number
      start_time: number
      finish_time: number
      /**
       * 0% to 100%
       */
      progress: string
      /**
       * {input: text}
       */
      properties: {
        [k: string]: unknown
      }
      /**
       * the upstream's result, null until it is known
       */
      data: unknown
    }[]
  }
  /**
   * A page of rows, with how many there are
   */
  'GET /api/mj/page': {
    query?: {
      /**
       * from 1
       */
      p?: number
      /**
       * for administrators
       */
      channel_id?: number
      /**
       * unix milliseconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix milliseconds, inclusive; 0 is open
       */
      end_timestamp?: number
      mj_id?: string
      status?: string
      action?: string
      page_size?: number
      /**
       * for administrators
       */
      user_id?: number
    }
    data: {
      items: {
        id: number
        /**
         * 1 submitted, 21 exists, 22 queued, 23 queue full, 24 banned word
         */
        code: number
        user_id: number
        action: string
        mj_id: string
        prompt: string
        prompt_en: string
        description: string
        state: string
        /**
         * unix milliseconds
         */
        submit_time: number
        /**
         * unix milliseconds
         */
        start_time: number
        /**
         * unix milliseconds
         */
        finish_time: number
        image_url: string
        status: string
        progress: string
        fail_reason: string
        channel_id: number
        quota: number
        /**
         * JSON text
         */
        buttons: string
        /**
         * JSON text
         */
        properties: string
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * A page of rows, with how many there are
   */
  'GET /api/task/page': {
    query?: {
      /**
       * from 1
       */
      p?: number
      /**
       * for administrators
       */
      channel_id?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
      task_id?: string
      platform?: string
      status?: string
      action?: string
      page_size?: number
      /**
       * for administrators
       */
      user_id?: number
    }
    data: {
      items: {
        id: number
        created_at: number
        updated_at: number
        task_id: string
        platform: string
        user_id: number
        /**
         * 0 in the own list
         */
        channel_id: number
        quota: number
        action: string
        status: string
        fail_reason: string
        submit_time: number
        start_time: number
        finish_time: number
        /**
         * 0% to 100%
         */
        progress: string
        /**
         * {input: text}
         */
        properties: {
          [k: string]: unknown
        }
        /**
         * the upstream's result, null until it is known
         */
        data: unknown
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * One row
   */
  'GET /api/mj/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      /**
       * 1 submitted, 21 exists, 22 queued, 23 queue full, 24 banned word
       */
      code: number
      user_id: number
      action: string
      mj_id: string
      prompt: string
      prompt_en: string
      description: string
      state: string
      /**
       * unix milliseconds
       */
      submit_time: number
      /**
       * unix milliseconds
       */
      start_time: number
      /**
       * unix milliseconds
       */
      finish_time: number
      image_url: string
      status: string
      progress: string
      fail_reason: string
      channel_id: number
      quota: number
      /**
       * JSON text
       */
      buttons: string
      /**
       * JSON text
       */
      properties: string
    }
  }
  /**
   * One row
   */
  'GET /api/task/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      created_at: number
      updated_at: number
      task_id: string
      platform: string
      user_id: number
      /**
       * 0 in the own list
       */
      channel_id: number
      quota: number
      action: string
      status: string
      fail_reason: string
      submit_time: number
      start_time: number
      finish_time: number
      /**
       * 0% to 100%
       */
      progress: string
      /**
       * {input: text}
       */
      properties: {
        [k: string]: unknown
      }
      /**
       * the upstream's result, null until it is known
       */
      data: unknown
    }
  }
  /**
   * A page of own rows, with how many there are
   */
  'GET /api/mj/self/page': {
    query?: {
      /**
       * from 1
       */
      p?: number
      /**
       * for administrators
       */
      channel_id?: number
      /**
       * unix milliseconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix milliseconds, inclusive; 0 is open
       */
      end_timestamp?: number
      mj_id?: string
      status?: string
      action?: string
      page_size?: number
      /**
       * for administrators
       */
      user_id?: number
    }
    data: {
      items: {
        id: number
        /**
         * 1 submitted, 21 exists, 22 queued, 23 queue full, 24 banned word
         */
        code: number
        user_id: number
        action: string
        mj_id: string
        prompt: string
        prompt_en: string
        description: string
        state: string
        /**
         * unix milliseconds
         */
        submit_time: number
        /**
         * unix milliseconds
         */
        start_time: number
        /**
         * unix milliseconds
         */
        finish_time: number
        image_url: string
        status: string
        progress: string
        fail_reason: string
        channel_id: number
        quota: number
        /**
         * JSON text
         */
        buttons: string
        /**
         * JSON text
         */
        properties: string
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * A page of own rows, with how many there are
   */
  'GET /api/task/self/page': {
    query?: {
      /**
       * from 1
       */
      p?: number
      /**
       * for administrators
       */
      channel_id?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
      task_id?: string
      platform?: string
      status?: string
      action?: string
      page_size?: number
      /**
       * for administrators
       */
      user_id?: number
    }
    data: {
      items: {
        id: number
        created_at: number
        updated_at: number
        task_id: string
        platform: string
        user_id: number
        /**
         * 0 in the own list
         */
        channel_id: number
        quota: number
        action: string
        status: string
        fail_reason: string
        submit_time: number
        start_time: number
        finish_time: number
        /**
         * 0% to 100%
         */
        progress: string
        /**
         * {input: text}
         */
        properties: {
          [k: string]: unknown
        }
        /**
         * the upstream's result, null until it is known
         */
        data: unknown
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * One own row
   */
  'GET /api/mj/self/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      /**
       * 1 submitted, 21 exists, 22 queued, 23 queue full, 24 banned word
       */
      code: number
      user_id: number
      action: string
      mj_id: string
      prompt: string
      prompt_en: string
      description: string
      state: string
      /**
       * unix milliseconds
       */
      submit_time: number
      /**
       * unix milliseconds
       */
      start_time: number
      /**
       * unix milliseconds
       */
      finish_time: number
      image_url: string
      status: string
      progress: string
      fail_reason: string
      channel_id: number
      quota: number
      /**
       * JSON text
       */
      buttons: string
      /**
       * JSON text
       */
      properties: string
    }
  }
  /**
   * One own row
   */
  'GET /api/task/self/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      created_at: number
      updated_at: number
      task_id: string
      platform: string
      user_id: number
      /**
       * 0 in the own list
       */
      channel_id: number
      quota: number
      action: string
      status: string
      fail_reason: string
      submit_time: number
      start_time: number
      finish_time: number
      /**
       * 0% to 100%
       */
      progress: string
      /**
       * {input: text}
       */
      properties: {
        [k: string]: unknown
      }
      /**
       * the upstream's result, null until it is known
       */
      data: unknown
    }
  }
  /**
   * Names of all groups
   */
  'GET /api/group/': {
    data: string[]
  }
  /**
   * All groups with how many use them; for users the groups that they may use
   */
  'GET /api/group/details': {
    data: {
      name: string
      /**
       * price multiplier
       */
      ratio: number
      desc: string
      /**
       * everybody may choose it, not only who is in it
       */
      selectable: boolean
      users?: number
      tokens?: number
      channels?: number
    }[]
  }
  /**
   * Groups that the caller may use, by name
   */
  'GET /api/user/self/groups': {
    data: {
      [k: string]: {
        /**
         * price multiplier
         */
        ratio: number
        desc: string
      }
    }
  }
  /**
   * Groups that a visitor may use, by name
   */
  'GET /api/user/groups': {
    data: {
      [k: string]: {
        /**
         * price multiplier
         */
        ratio: number
        desc: string
      }
    }
  }
  /**
   * Models that some enabled channel serves for a group the caller may use
   */
  'GET /api/user/models': {
    data: string[]
  }
  /**
   * Built-in model names by kind of channel
   */
  'GET /api/models': {
    data: {
      [k: string]: string[]
    }
  }
  /**
   * Prices of all models, and the groups that the visitor may use
   */
  'GET /api/pricing': {
    data: {
      model_name: string
      /**
       * 1 by the call, 0 by usage
       */
      quota_type: number
      /**
       * dollars per call; 0 by usage
       */
      model_price: number
      /**
       * 1 = 2 dollars per million prompt tokens; 0 by the call
       */
      model_ratio: number
      /**
       * what a completion token costs in prompt tokens; 0 by the call
       */
      completion_ratio: number
      /**
       * always empty
       */
      owner_by: string
      /**
       * groups that the model is served for
       */
      enable_groups: string[]
    }[]
    answer: {
      success: boolean
      data?: {
        model_name: string
        /**
         * 1 by the call, 0 by usage
         */
        quota_type: number
        /**
         * dollars per call; 0 by usage
         */
        model_price: number
        /**
         * 1 = 2 dollars per million prompt tokens; 0 by the call
         */
        model_ratio: number
        /**
         * what a completion token costs in prompt tokens; 0 by the call
         */
        completion_ratio: number
        /**
         * always empty
         */
        owner_by: string
        /**
         * groups that the model is served for
         */
        enable_groups: string[]
      }[]
      group_ratio?: {
        [k: string]: number
      }
      usable_group?: {
        [k: string]: string
      }
      /**
       * of a refusal alone
       */
      message?: string
    }
  }
  /**
   * All that models cost, and who says so; for administrators also those without a price
   */
  'GET /api/pricing/details': {
    query?: {
      /**
       * this one alone, whether it is served or not
       */
      model?: string
    }
    data: {
      model_name: string
      /**
       * option, library or default; none: requests for it are refused
       */
      source: string
      /**
       * 1 by the call, 0 by usage
       */
      quota_type: number
      /**
       * dollars per call; 0 by usage
       */
      model_price: number
      /**
       * quota for a prompt token; 0 by the call
       */
      model_ratio: number
      /**
       * what a completion token costs in prompt tokens; 0 by the call
       */
      completion_ratio: number
      /**
       * what a cached prompt token costs in prompt tokens; 0 by the call
       */
      cache_ratio: number
      /**
       * what a token written to the cache costs in prompt tokens; 0 by the call
       */
      cache_write_ratio: number
      /**
       * groups that the model is served for
       */
      enable_groups: string[]
    }[]
  }
  /**
   * The picture at an address of another site, downloaded by the gateway: PNG, JPEG, WebP or GIF
   */
  'POST /api/picture': {
    body: {
      url: string
    }
    stream: unknown
  }
}
export interface TollgateConfiguration {
  version: 1
  /**
   * options by name; secret ones as env:NAME, file:PATH or command:LINE
   */
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
    /**
     * group of users
     */
    [k: string]: {
      /**
       * GroupRatio: price multiplier
       */
      ratio: number
      /**
       * UserUsableGroups: with it, everybody may choose the group
       */
      description?: string
      /**
       * TopupGroupRatio: price multiplier of top-ups
       */
      topup_ratio?: number
    }
  }
  limits?: {
    /**
     * limits of a group
     */
    [k: string]: {
      /**
       * GroupDebtLimit: quota that each of its users may owe
       */
      debt: number
    }
  }
  prices?: {
    /**
     * price of a model
     */
    [k: string]: {
      /**
       * ModelRatio: 1 is 2 dollars per million prompt tokens
       */
      ratio?: number
      /**
       * CompletionRatio
       */
      completion?: number
      /**
       * CacheRatio: cached prompt tokens
       */
      cache?: number
      /**
       * CacheWriteRatio
       */
      cache_write?: number
      /**
       * ModelPrice: dollars per call, instead of a ratio
       */
      per_call?: number
      /**
       * OutputTokensMax: longest reply
       */
      output_tokens_max?: number
    }
  }
  channels?: {
    /**
     * upstream account
     */
    [k: string]: {
      /**
       * provider, by word or number: tollgate channel types
       */
      type: string | number
      /**
       * env:NAME, file:PATH or command:LINE; left out: as it is. In clear text it is warned of
       */
      key?: string
      /**
       * @minItems 1
       */
      models?: string[]
      /**
       * @minItems 1
       */
      groups?: string[]
      enabled?: boolean
      base_url?: string
      /**
       * what it means depends on the type
       */
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
      /**
       * docs/channels.md
       */
      setting?: {
        [k: string]: unknown
      }
    }
  }
}
export interface TollgateConfiguration1 {
  version: 1
  /**
   * options by name; secret ones as env:NAME, file:PATH or command:LINE
   */
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
    /**
     * group of users
     */
    [k: string]: {
      /**
       * GroupRatio: price multiplier
       */
      ratio: number
      /**
       * UserUsableGroups: with it, everybody may choose the group
       */
      description?: string
      /**
       * TopupGroupRatio: price multiplier of top-ups
       */
      topup_ratio?: number
    }
  }
  limits?: {
    /**
     * limits of a group
     */
    [k: string]: {
      /**
       * GroupDebtLimit: quota that each of its users may owe
       */
      debt: number
    }
  }
  prices?: {
    /**
     * price of a model
     */
    [k: string]: {
      /**
       * ModelRatio: 1 is 2 dollars per million prompt tokens
       */
      ratio?: number
      /**
       * CompletionRatio
       */
      completion?: number
      /**
       * CacheRatio: cached prompt tokens
       */
      cache?: number
      /**
       * CacheWriteRatio
       */
      cache_write?: number
      /**
       * ModelPrice: dollars per call, instead of a ratio
       */
      per_call?: number
      /**
       * OutputTokensMax: longest reply
       */
      output_tokens_max?: number
    }
  }
  channels?: {
    /**
     * upstream account
     */
    [k: string]: {
      /**
       * provider, by word or number: tollgate channel types
       */
      type: string | number
      /**
       * env:NAME, file:PATH or command:LINE; left out: as it is. In clear text it is warned of
       */
      key?: string
      /**
       * @minItems 1
       */
      models?: string[]
      /**
       * @minItems 1
       */
      groups?: string[]
      enabled?: boolean
      base_url?: string
      /**
       * what it means depends on the type
       */
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
      /**
       * docs/channels.md
       */
      setting?: {
        [k: string]: unknown
      }
    }
  }
}
