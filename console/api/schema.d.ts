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
       * seconds from one start to the next; 0 = only on request
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
   * How one request went: its attempts, its failure, its receipt. Users: their own requests
   */
  'GET /api/log/request/:request_id': {
    path: {
      request_id: string
    }
    data: {
      request_id: string
      /**
       * unix seconds at which it ended
       */
      created_at: number
      user_id: number
      username: string
      token_name: string
      model_name: string
      group: string
      /**
       * seconds
       */
      use_time: number
      is_stream: boolean
      /**
       * incomplete: charged for the part that was delivered
       */
      outcome: 'complete' | 'incomplete' | 'failed'
      /**
       * HTTP status of a failure; 0 for none
       */
      status: number
      /**
       * error code of a failure; empty for none
       */
      code: string
      /**
       * what the client was told of a failure; empty for none
       */
      message: string
      /**
       * why an incomplete reply ended; empty for none
       */
      end_reason: string
      /**
       * -1 if not measured
       */
      first_token_ms: number
      /**
       * for administrators; empty if unknown
       */
      upstream_request_id: string
      /**
       * 0 if the request was rejected before any channel was tried
       */
      attempt_count: number
      /**
       * for administrators, in order
       */
      attempts: {
        /**
         * id
         */
        channel: number
        /**
         * its present name; empty if it was deleted
         */
        channel_name: string
        /**
         * which of the channel's several keys, from 1
         */
        key_number?: number
        /**
         * whether this channel served the reply
         */
        answered: boolean
        /**
         * HTTP status of the upstream; 0 if there was none or none was kept
         */
        status: number
        /**
         * error code; empty for none
         */
        code: string
        /**
         * milliseconds; -1 if not measured
         */
        ms: number
        /**
         * what the upstream said, and so why the next channel was tried
         */
        message: string
      }[]
      /**
       * failures of the same second that this record represents
       */
      suppressed: number
      /**
       * quota
       */
      charged: number
      receipt?: {
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
         * the owner of the row; 0: none
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
       * an action, or the part before its dot: user.create, user.update, user.manage, user.quota, user.delete, option.set, option.reset, channel.create, channel.copy, channel.update, channel.status, channel.tag, channel.delete, channel.repair, channel.test, channel.balance, channel.balances, channel.models, token.create, token.update, token.status, token.delete, redemption.create, redemption.read, redemption.update, redemption.status, redemption.delete, redemption.redeem, team.create, team.update, team.quota, team.member, team.key, team.delete, limit.set, limit.remove, notice.create, notice.update, notice.delete, notice.test, notice.retry, notice.threshold, api-key.create, api-key.update, api-key.revoke, batch.cancel, file.delete, payment.replay, log.clear, log.archive, ledger.repair, job.start, import.run, import.undo, export.run
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
   * Makes an account; it is not signed in, unless that is asked for
   */
  'POST /api/user/register': {
    query?: {
      /**
       * what the bot check gave the browser; without effect while it is off
       */
      turnstile?: string
      /**
       * sign in as well, where passwords may: the answer is that of a login
       */
      answer?: 'session'
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
      /**
       * in lists: the last relay or sign-in, unix seconds; 0: none is known
       */
      last_active?: number
      DeletedAt: string | null
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
      /**
       * in lists: the last relay or sign-in, unix seconds; 0: none is known
       */
      last_active?: number
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
      /**
       * in lists: the last relay or sign-in, unix seconds; 0: none is known
       */
      last_active?: number
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
       * of mails to you: zh or en, or a locale such as zh-CN; others change nothing. A sign-in sets it by Accept-Language
       */
      language?: string
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
       * noun:verb, such as codes:create or channels:read; * means every noun or verb
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
      /**
       * the column to sort by
       */
      sort?: 'id' | 'username' | 'group' | 'quota' | 'used_quota' | 'request_count' | 'aff_count' | 'role' | 'status'
      /**
       * with sort; absent: desc
       */
      order?: 'asc' | 'desc'
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
        /**
         * in lists: the last relay or sign-in, unix seconds; 0: none is known
         */
        last_active?: number
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
      /**
       * in lists: the last relay or sign-in, unix seconds; 0: none is known
       */
      last_active?: number
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
      /**
       * the column to sort by
       */
      sort?: 'id' | 'username' | 'group' | 'quota' | 'used_quota' | 'request_count' | 'aff_count' | 'role' | 'status'
      /**
       * with sort; absent: desc
       */
      order?: 'asc' | 'desc'
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
        /**
         * in lists: the last relay or sign-in, unix seconds; 0: none is known
         */
        last_active?: number
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
      /**
       * in lists: the last relay or sign-in, unix seconds; 0: none is known
       */
      last_active?: number
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
      /**
       * in lists: the last relay or sign-in, unix seconds; 0: none is known
       */
      last_active?: number
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
      /**
       * in lists: the last relay or sign-in, unix seconds; 0: none is known
       */
      last_active?: number
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
      /**
       * in lists: the last relay or sign-in, unix seconds; 0: none is known
       */
      last_active?: number
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
      /**
       * in lists: the last relay or sign-in, unix seconds; 0: none is known
       */
      last_active?: number
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
      /**
       * in lists: the last relay or sign-in, unix seconds; 0: none is known
       */
      last_active?: number
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
      /**
       * in lists: the last relay or sign-in, unix seconds; 0: none is known
       */
      last_active?: number
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
      /**
       * in lists: the last relay or sign-in, unix seconds; 0: none is known
       */
      last_active?: number
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
      /**
       * in lists: the last relay or sign-in, unix seconds; 0: none is known
       */
      last_active?: number
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
      /**
       * what is in force while nothing is stored
       */
      default: string
    }[]
  }
  /**
   * Save one option
   */
  'PUT /api/option/': {
    body: {
      key: string
      value?: string
      was?: string
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
   * The gateway as a document; secrets are references
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
          /**
           * GroupDebtLimit: quota that each of its users may owe
           */
          debt?: number
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
      teams?: {
        /**
         * team; members must be users of the gateway
         */
        [k: string]: {
          /**
           * user name; a new team needs it
           */
          owner?: string
          group?: string
          /**
           * false: its keys are rejected
           */
          enabled?: boolean
          /**
           * user names and roles, without the owner; --prune removes other members, and their keys
           */
          members?: {
            /**
             * role
             */
            [k: string]: 'admin' | 'member'
          }
        }
      }
      /**
       * Items: limit
       */
      limits?: {
        /**
         * whom or what it is about
         */
        subject: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
        /**
         * of the user, token, group, model or channel; the address; the user of a member; * is each
         */
        name: string
        /**
         * of a token: its owner's user name
         */
        user?: string
        /**
         * of a token or member: the name of the team
         */
        team?: string
        /**
         * of a channel-key: its position from 1, or its digest, as tollgate limit list shows it
         */
        channel_key?: number | string
        /**
         * what is counted; quota is money, 500000 are one US dollar
         */
        measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
        /**
         * how long a window is; left out for concurrent
         */
        period?: 'none' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
        /**
         * how much fits into a window
         */
        amount: number
        /**
         * IANA name: windows of the calendar there, instead of rolling ones
         */
        time_zone?: string
        /**
         * of a request that does not fit; reject is the default
         */
        action?: 'reject' | 'queue' | 'notify'
        /**
         * of queue: how long a request may wait
         */
        wait_seconds?: number
      }[]
      management_keys?: {
        /**
         * user name of its owner
         */
        user: string
        name: string
        /**
         * such as codes:create
         *
         * @minItems 1
         */
        scopes: string[]
        /**
         * quota that it may give away in all; left out: not limited
         */
        quota_max?: number
        /**
         * date, or date and time with its zone (ISO 8601); left out: never
         */
        expires_at?: string
      }[]
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
      /**
       * digest of the document: the plan is for no other one
       */
      document: string
      changes: {
        section: 'options' | 'groups' | 'prices' | 'channels' | 'teams' | 'limits' | 'management_keys'
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
        /**
         * digest of what the document asks for: a change is made only if it still does
         */
        wanted: string
        /**
         * of a group that is deleted: who is still in it, and is refused from then on
         */
        in_use?: {
          users: number
          teams: number
          tokens: number
        }
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
        /**
         * digest of the document: the plan is for no other one
         */
        document: string
        changes: {
          section: 'options' | 'groups' | 'prices' | 'channels' | 'teams' | 'limits' | 'management_keys'
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
          /**
           * digest of what the document asks for: a change is made only if it still does
           */
          wanted: string
          /**
           * of a group that is deleted: who is still in it, and is refused from then on
           */
          in_use?: {
            users: number
            teams: number
            tokens: number
          }
        }[]
      }
    }
    data: {
      /**
       * digest of the document: the plan is for no other one
       */
      document: string
      changes: {
        section: 'options' | 'groups' | 'prices' | 'channels' | 'teams' | 'limits' | 'management_keys'
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
        /**
         * digest of what the document asks for: a change is made only if it still does
         */
        wanted: string
        /**
         * of a group that is deleted: who is still in it, and is refused from then on
         */
        in_use?: {
          users: number
          teams: number
          tokens: number
        }
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
       * the column to sort by
       */
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
      /**
       * with sort; absent: desc
       */
      order?: 'asc' | 'desc'
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
   * What each channel has done in the last 24 hours, and the models that it serves alone
   */
  'GET /api/channel/activity': {
    data: {
      channel_id: number
      /**
       * whole replies
       */
      ok: number
      /**
       * failures, without those of clients that disconnected
       */
      failed: number
      /**
       * of the replies of all channels, 0 to 1
       */
      share: number
      /**
       * milliseconds that half of the whole replies took at most; -1: there are none
       */
      latency_p50: number
      /**
       * replies in each hour, oldest first
       */
      hours: number[]
      /**
       * models that no other enabled channel serves for some group; at most 20
       */
      sole_models: string[]
      /**
       * how many such models there are
       */
      sole_count: number
    }[]
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
       * the address is that of the endpoint, {model} in it is replaced by the model
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
       * the default if it is empty
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
       * the default models of a new channel
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
      /**
       * of a key of a team: the user who created it
       */
      member_id?: number
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
      /**
       * of a key of a team: the user who created it
       */
      member_id?: number
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
      /**
       * of a key of a team: the user who created it
       */
      member_id?: number
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
      /**
       * the column to sort by
       */
      sort?:
        'id' | 'name' | 'status' | 'used_quota' | 'remain_quota' | 'created_time' | 'accessed_time' | 'expired_time'
      /**
       * with sort; absent: desc
       */
      order?: 'asc' | 'desc'
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
        /**
         * of a key of a team: the user who created it
         */
        member_id?: number
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
      /**
       * of a key of a team: the user who created it
       */
      member_id?: number
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
      /**
       * of a key of a team: the user who created it
       */
      member_id?: number
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
      /**
       * of a key of a team: the user who created it
       */
      member_id?: number
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
   * The teams of the caller, newest first; for administrators all teams
   */
  'GET /api/team/': {
    query?: {
      /**
       * from 1
       */
      p?: number
      page_size?: number
      keyword?: string
      /**
       * for administrators, who are listed all teams: only those that they are a member of
       */
      own?: boolean
    }
    data: {
      items: {
        /**
         * also the id of its account, which log rows and entries have as user_id
         */
        id: number
        name: string
        /**
         * the caller's role; empty: not a member
         */
        role: 'owner' | 'admin' | 'member' | ''
        /**
         * 0: the owner was deleted
         */
        owner_id: number
        /**
         * user name
         */
        owner: string
        members: number
        /**
         * 1 enabled, 2 disabled: its keys are rejected
         */
        status: number
        group: string
        /**
         * the balance
         */
        quota: number
        used_quota: number
        request_count: number
        created_at: number
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * Create a team, whose owner is the caller
   */
  'POST /api/team/': {
    body: {
      name: string
    }
    data: {
      /**
       * also the id of its account, which log rows and entries have as user_id
       */
      id: number
      name: string
      /**
       * the caller's role; empty: not a member
       */
      role: 'owner' | 'admin' | 'member' | ''
      /**
       * 0: the owner was deleted
       */
      owner_id: number
      /**
       * user name
       */
      owner: string
      members: number
      /**
       * 1 enabled, 2 disabled: its keys are rejected
       */
      status: number
      group: string
      /**
       * the balance
       */
      quota: number
      used_quota: number
      request_count: number
      created_at: number
    }
  }
  /**
   * The team of a name
   */
  'GET /api/team/by-name': {
    query: {
      name: string
    }
    data: {
      /**
       * also the id of its account, which log rows and entries have as user_id
       */
      id: number
      name: string
      /**
       * the caller's role; empty: not a member
       */
      role: 'owner' | 'admin' | 'member' | ''
      /**
       * 0: the owner was deleted
       */
      owner_id: number
      /**
       * user name
       */
      owner: string
      members: number
      /**
       * 1 enabled, 2 disabled: its keys are rejected
       */
      status: number
      group: string
      /**
       * the balance
       */
      quota: number
      used_quota: number
      request_count: number
      created_at: number
    }
  }
  /**
   * One team
   */
  'GET /api/team/:id': {
    path: {
      id: number
    }
    data: {
      /**
       * also the id of its account, which log rows and entries have as user_id
       */
      id: number
      name: string
      /**
       * the caller's role; empty: not a member
       */
      role: 'owner' | 'admin' | 'member' | ''
      /**
       * 0: the owner was deleted
       */
      owner_id: number
      /**
       * user name
       */
      owner: string
      members: number
      /**
       * 1 enabled, 2 disabled: its keys are rejected
       */
      status: number
      group: string
      /**
       * the balance
       */
      quota: number
      used_quota: number
      request_count: number
      created_at: number
    }
  }
  /**
   * Change a team; what is absent stays as it is
   */
  'PUT /api/team/:id': {
    path: {
      id: number
    }
    body: {
      name?: string
      /**
       * by administrators of the gateway
       */
      group?: string
      /**
       * 1 enabled, 2 disabled; by administrators of the gateway
       */
      status?: number
    }
    data: {
      /**
       * also the id of its account, which log rows and entries have as user_id
       */
      id: number
      name: string
      /**
       * the caller's role; empty: not a member
       */
      role: 'owner' | 'admin' | 'member' | ''
      /**
       * 0: the owner was deleted
       */
      owner_id: number
      /**
       * user name
       */
      owner: string
      members: number
      /**
       * 1 enabled, 2 disabled: its keys are rejected
       */
      status: number
      group: string
      /**
       * the balance
       */
      quota: number
      used_quota: number
      request_count: number
      created_at: number
    }
  }
  /**
   * Delete a team: its balance goes to its owner, its keys are deleted, log rows stay
   */
  'DELETE /api/team/:id': {
    path: {
      id: number
    }
    data: {
      /**
       * also the id of its account, which log rows and entries have as user_id
       */
      id: number
      name: string
      /**
       * the caller's role; empty: not a member
       */
      role: 'owner' | 'admin' | 'member' | ''
      /**
       * 0: the owner was deleted
       */
      owner_id: number
      /**
       * user name
       */
      owner: string
      members: number
      /**
       * 1 enabled, 2 disabled: its keys are rejected
       */
      status: number
      group: string
      /**
       * the balance
       */
      quota: number
      used_quota: number
      request_count: number
      created_at: number
    }
  }
  /**
   * Move quota from the balance of the caller, an owner or admin, to that of the team
   */
  'POST /api/team/:id/transfer': {
    path: {
      id: number
    }
    header?: {
      /**
       * a text of your choice, up to 255 characters. The same key with the same body moves nothing more; with another body it is refused. Everybody has keys of their own; they never expire
       */
      'idempotency-key'?: string
    }
    body: {
      quota: number
    }
    data: {
      /**
       * also the id of its account, which log rows and entries have as user_id
       */
      id: number
      name: string
      /**
       * the caller's role; empty: not a member
       */
      role: 'owner' | 'admin' | 'member' | ''
      /**
       * 0: the owner was deleted
       */
      owner_id: number
      /**
       * user name
       */
      owner: string
      members: number
      /**
       * 1 enabled, 2 disabled: its keys are rejected
       */
      status: number
      group: string
      /**
       * the balance
       */
      quota: number
      used_quota: number
      request_count: number
      created_at: number
    }
  }
  /**
   * Turn a redemption code into quota of the team
   */
  'POST /api/team/:id/topup': {
    path: {
      id: number
    }
    body: {
      key: string
    }
    /**
     * quota added
     */
    data: number
  }
  /**
   * Set the balance of a team
   */
  'PUT /api/team/:id/quota': {
    path: {
      id: number
    }
    body: {
      quota: number
    }
  }
  /**
   * Join a team by an invite code
   */
  'POST /api/team/join': {
    body: {
      code: string
    }
    data: {
      /**
       * also the id of its account, which log rows and entries have as user_id
       */
      id: number
      name: string
      /**
       * the caller's role; empty: not a member
       */
      role: 'owner' | 'admin' | 'member' | ''
      /**
       * 0: the owner was deleted
       */
      owner_id: number
      /**
       * user name
       */
      owner: string
      members: number
      /**
       * 1 enabled, 2 disabled: its keys are rejected
       */
      status: number
      group: string
      /**
       * the balance
       */
      quota: number
      used_quota: number
      request_count: number
      created_at: number
    }
  }
  /**
   * Leave a team; the own keys stop
   */
  'POST /api/team/:id/leave': {
    path: {
      id: number
    }
  }
  /**
   * The members of a team; for the role member only the caller
   */
  'GET /api/team/:id/members': {
    path: {
      id: number
    }
    data: {
      user_id: number
      username: string
      /**
       * owner, admin or member
       */
      role: 'owner' | 'admin' | 'member'
      /**
       * of the user: 1 enabled, 2 disabled
       */
      status: number
      /**
       * keys of the team that the member has
       */
      keys: number
      /**
       * what these keys, and deleted ones, have used
       */
      used_quota: number
      joined_at: number
    }[]
  }
  /**
   * Give a member another role, by the owner; owner transfers the ownership
   */
  'PUT /api/team/:id/members/:user_id': {
    path: {
      id: number
      user_id: number
    }
    body: {
      role: 'owner' | 'admin' | 'member'
    }
    data: {
      user_id: number
      username: string
      /**
       * owner, admin or member
       */
      role: 'owner' | 'admin' | 'member'
      /**
       * of the user: 1 enabled, 2 disabled
       */
      status: number
      /**
       * keys of the team that the member has
       */
      keys: number
      /**
       * what these keys, and deleted ones, have used
       */
      used_quota: number
      joined_at: number
    }[]
  }
  /**
   * Remove a member, whose keys stop
   */
  'DELETE /api/team/:id/members/:user_id': {
    path: {
      id: number
      user_id: number
    }
  }
  /**
   * Invites that can be used, without their codes
   */
  'GET /api/team/:id/invites': {
    path: {
      id: number
    }
    data: {
      id: number
      /**
       * the role of the user who joins with it
       */
      role: 'admin' | 'member'
      /**
       * id of a user
       */
      created_by: number
      created_at: number
      /**
       * unix seconds
       */
      expires_at: number
      /**
       * id of a user; 0: unused
       */
      used_by: number
      /**
       * unix seconds; 0: unused
       */
      used_at: number
      /**
       * only in the answer that creates it
       */
      code?: string
    }[]
  }
  /**
   * Create an invite for one user; its code is answered once
   */
  'POST /api/team/:id/invites': {
    path: {
      id: number
    }
    body: {
      /**
       * absent: member; admin by the owner
       */
      role?: 'admin' | 'member'
      /**
       * how long it is valid: 1 to 720, absent: 72
       */
      hours?: number
    }
    data: {
      id: number
      /**
       * the role of the user who joins with it
       */
      role: 'admin' | 'member'
      /**
       * id of a user
       */
      created_by: number
      created_at: number
      /**
       * unix seconds
       */
      expires_at: number
      /**
       * id of a user; 0: unused
       */
      used_by: number
      /**
       * unix seconds; 0: unused
       */
      used_at: number
      /**
       * only in the answer that creates it
       */
      code?: string
    }
  }
  /**
   * Revoke an invite
   */
  'DELETE /api/team/:id/invites/:invite_id': {
    path: {
      id: number
      invite_id: number
    }
  }
  /**
   * Keys of a team; only the own ones have their key
   */
  'GET /api/team/:id/keys': {
    path: {
      id: number
    }
    query?: {
      /**
       * from 1
       */
      p?: number
      page_size?: number
      keyword?: string
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
        /**
         * of a key of a team: the user who created it
         */
        member_id?: number
        DeletedAt: string | null
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * Create a key of a team
   */
  'POST /api/team/:id/keys': {
    path: {
      id: number
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
      /**
       * of a key of a team: the user who created it
       */
      member_id?: number
      DeletedAt: string | null
    }
  }
  /**
   * One key of a team
   */
  'GET /api/team/:id/keys/:token_id': {
    path: {
      id: number
      token_id: number
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
      /**
       * of a key of a team: the user who created it
       */
      member_id?: number
      DeletedAt: string | null
    }
  }
  /**
   * Change a key of a team; what is absent stays as it is
   */
  'PUT /api/team/:id/keys/:token_id': {
    path: {
      id: number
      token_id: number
    }
    body: {
      name?: string
      /**
       * 1 enabled, 2 disabled
       */
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
      /**
       * of a key of a team: the user who created it
       */
      member_id?: number
      DeletedAt: string | null
    }
  }
  /**
   * Delete a key of a team for good
   */
  'DELETE /api/team/:id/keys/:token_id': {
    path: {
      id: number
      token_id: number
    }
  }
  /**
   * Log rows of a team, newest first
   */
  'GET /api/team/:id/logs': {
    path: {
      id: number
    }
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
      request_id?: string
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
      /**
       * for owner and admins: the keys of this member; 0 is all
       */
      member_id?: number
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
   * What a team has spent, and the rate
   */
  'GET /api/team/:id/logs/stat': {
    path: {
      id: number
    }
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
      request_id?: string
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
      /**
       * for owner and admins: the keys of this member; 0 is all
       */
      member_id?: number
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
   * How one request of a team went, with its receipt
   */
  'GET /api/team/:id/logs/request/:request_id': {
    path: {
      id: number
      request_id: string
    }
    data: {
      request_id: string
      /**
       * unix seconds at which it ended
       */
      created_at: number
      user_id: number
      username: string
      token_name: string
      model_name: string
      group: string
      /**
       * seconds
       */
      use_time: number
      is_stream: boolean
      /**
       * incomplete: charged for the part that was delivered
       */
      outcome: 'complete' | 'incomplete' | 'failed'
      /**
       * HTTP status of a failure; 0 for none
       */
      status: number
      /**
       * error code of a failure; empty for none
       */
      code: string
      /**
       * what the client was told of a failure; empty for none
       */
      message: string
      /**
       * why an incomplete reply ended; empty for none
       */
      end_reason: string
      /**
       * -1 if not measured
       */
      first_token_ms: number
      /**
       * for administrators; empty if unknown
       */
      upstream_request_id: string
      /**
       * 0 if the request was rejected before any channel was tried
       */
      attempt_count: number
      /**
       * for administrators, in order
       */
      attempts: {
        /**
         * id
         */
        channel: number
        /**
         * its present name; empty if it was deleted
         */
        channel_name: string
        /**
         * which of the channel's several keys, from 1
         */
        key_number?: number
        /**
         * whether this channel served the reply
         */
        answered: boolean
        /**
         * HTTP status of the upstream; 0 if there was none or none was kept
         */
        status: number
        /**
         * error code; empty for none
         */
        code: string
        /**
         * milliseconds; -1 if not measured
         */
        ms: number
        /**
         * what the upstream said, and so why the next channel was tried
         */
        message: string
      }[]
      /**
       * failures of the same second that this record represents
       */
      suppressed: number
      /**
       * quota
       */
      charged: number
      receipt?: {
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
  }
  /**
   * What the dashboard shows, of the relays of a team
   */
  'GET /api/team/:id/dashboard': {
    path: {
      id: number
    }
    query?: {
      /**
       * 24 if there is no start
       */
      last_hours?: number
      /**
       * unix seconds; instead of last_hours
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; absent: now
       */
      end_timestamp?: number
      by?: 'model' | 'member' | 'token' | 'group'
      /**
       * what the largest are found by
       */
      metric?: 'quota' | 'count' | 'tokens'
      /**
       * for owner and admins: the keys of this member; 0 is all
       */
      member_id?: number
    }
    data: {
      /**
       * unix seconds: the start of an hour
       */
      start: number
      /**
       * unix seconds
       */
      end: number
      /**
       * success, latency, errors and all groups but models are counted up to here, unix seconds
       */
      counted_until: number
      /**
       * of one user or team with very many relays: success, latency, errors, keys and members are those of the newest 10 000
       */
      sampled: boolean
      /**
       * the own one
       */
      account: {
        quota: number
        used_quota: number
        request_count: number
      }
      rpm: number
      tpm: number
      totals: {
        /**
         * charged relays
         */
        count: number
        quota: number
        /**
         * prompt and completion tokens
         */
        tokens: number
        /**
         * whole replies
         */
        ok: number
        /**
         * failures, without those of clients that disconnected
         */
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p50: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        first_token_p50: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        first_token_p95: number
      }
      /**
       * the same without the hour that runs
       */
      compared: {
        /**
         * charged relays
         */
        count: number
        quota: number
        /**
         * prompt and completion tokens
         */
        tokens: number
        /**
         * whole replies
         */
        ok: number
        /**
         * failures, without those of clients that disconnected
         */
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p50: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        first_token_p50: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        first_token_p95: number
      }
      /**
       * the same of the period before, which is as long
       */
      previous: {
        /**
         * charged relays
         */
        count: number
        quota: number
        /**
         * prompt and completion tokens
         */
        tokens: number
        /**
         * whole replies
         */
        ok: number
        /**
         * failures, without those of clients that disconnected
         */
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p50: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        first_token_p50: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        first_token_p95: number
      }
      /**
       * the most frequent first
       */
      errors: {
        code: string
        count: number
      }[]
      by: 'model' | 'user' | 'token' | 'channel' | 'group' | 'member'
      /**
       * the largest by the metric, and the others as one
       */
      groups: {
        /**
         * of a model or group, or the id of a user, member, token or channel; empty: all others
         */
        name: string
        /**
         * the present name of a user, token or channel
         */
        label: string
        count: number
        quota: number
        tokens: number
        ok: number
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
      }[]
      /**
       * how many groups the others are
       */
      group_count: number
      /**
       * hours in which a group has something
       */
      series: {
        /**
         * its start, unix seconds
         */
        hour: number
        /**
         * index in groups
         */
        group: number
        count: number
        quota: number
        tokens: number
      }[]
      /**
       * for administrators
       */
      users: {
        /**
         * of a model or group, or the id of a user, member, token or channel; empty: all others
         */
        name: string
        /**
         * the present name of a user, token or channel
         */
        label: string
        count: number
        quota: number
        tokens: number
        ok: number
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
      }[]
      /**
       * of a team, for its owner and admins
       */
      members: {
        /**
         * of a model or group, or the id of a user, member, token or channel; empty: all others
         */
        name: string
        /**
         * the present name of a user, token or channel
         */
        label: string
        count: number
        quota: number
        tokens: number
        ok: number
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
      }[]
      tokens: {
        /**
         * of a model or group, or the id of a user, member, token or channel; empty: all others
         */
        name: string
        /**
         * the present name of a user, token or channel
         */
        label: string
        count: number
        quota: number
        tokens: number
        ok: number
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
      }[]
      /**
       * for administrators
       */
      channels: {
        /**
         * of a model or group, or the id of a user, member, token or channel; empty: all others
         */
        name: string
        /**
         * the present name of a user, token or channel
         */
        label: string
        count: number
        quota: number
        tokens: number
        ok: number
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
      }[]
      /**
       * the newest ten rows
       */
      newest: {
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
  }
  /**
   * The limits; for users those of their own keys and account
   */
  'GET /api/limit/': {
    query?: {
      subject?: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
      /**
       * with it: also the defaults that apply to it
       */
      subject_id?: string
    }
    data: {
      id: number
      /**
       * whom or what it is about
       */
      subject: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
      /**
       * id of a token, user or channel, channel/digest of a key, team/user (ids) of a member, name of a group or model, address; * is each
       */
      subject_id: string
      /**
       * what is counted; quota is money
       */
      measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
      /**
       * how long a window is; none, for concurrent, counts what runs at the same time
       */
      period: 'none' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
      /**
       * how much fits into a window, from 1
       */
      amount: number
      /**
       * of the token, user or channel; else the subject_id
       */
      name: string
      /**
       * IANA name: windows of the calendar there; empty: rolling windows
       */
      time_zone: string
      /**
       * of a request that does not fit: reject it, queue it, or only mail root
       */
      action: 'reject' | 'queue' | 'notify'
      /**
       * how long a request may be queued; 0 unless action is queue
       */
      wait_seconds: number
      created_at: number
      updated_at: number
    }[]
  }
  /**
   * Set limits, all or none; each replaces one of the same subject, measure and period
   */
  'PUT /api/limit/': {
    body: {
      /**
       * @minItems 1
       * @maxItems 100
       */
      limits: {
        /**
         * whom or what it is about
         */
        subject: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
        /**
         * id of a token, user or channel, channel/digest of a key, team/user (ids) of a member, name of a group or model, address; * is each
         */
        subject_id: string
        /**
         * what is counted; quota is money
         */
        measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
        /**
         * how long a window is; none, for concurrent, counts what runs at the same time
         */
        period: 'none' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
        /**
         * how much fits into a window, from 1
         */
        amount: number
        /**
         * IANA name for windows of the calendar
         */
        time_zone?: string
        /**
         * reject unless told otherwise
         */
        action?: 'reject' | 'queue' | 'notify'
        /**
         * for queue, 1 to 300
         */
        wait_seconds?: number
      }[]
    }
    data: {
      id: number
      /**
       * whom or what it is about
       */
      subject: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
      /**
       * id of a token, user or channel, channel/digest of a key, team/user (ids) of a member, name of a group or model, address; * is each
       */
      subject_id: string
      /**
       * what is counted; quota is money
       */
      measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
      /**
       * how long a window is; none, for concurrent, counts what runs at the same time
       */
      period: 'none' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
      /**
       * how much fits into a window, from 1
       */
      amount: number
      /**
       * of the token, user or channel; else the subject_id
       */
      name: string
      /**
       * IANA name: windows of the calendar there; empty: rolling windows
       */
      time_zone: string
      /**
       * of a request that does not fit: reject it, queue it, or only mail root
       */
      action: 'reject' | 'queue' | 'notify'
      /**
       * how long a request may be queued; 0 unless action is queue
       */
      wait_seconds: number
      created_at: number
      updated_at: number
    }[]
  }
  /**
   * How much of each limit is used
   */
  'GET /api/limit/status': {
    query?: {
      subject?: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
      /**
       * with it: also the defaults that apply to it
       */
      subject_id?: string
    }
    data: {
      limit: {
        id: number
        /**
         * whom or what it is about
         */
        subject: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
        /**
         * id of a token, user or channel, channel/digest of a key, team/user (ids) of a member, name of a group or model, address; * is each
         */
        subject_id: string
        /**
         * what is counted; quota is money
         */
        measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
        /**
         * how long a window is; none, for concurrent, counts what runs at the same time
         */
        period: 'none' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
        /**
         * how much fits into a window, from 1
         */
        amount: number
        /**
         * of the token, user or channel; else the subject_id
         */
        name: string
        /**
         * IANA name: windows of the calendar there; empty: rolling windows
         */
        time_zone: string
        /**
         * of a request that does not fit: reject it, queue it, or only mail root
         */
        action: 'reject' | 'queue' | 'notify'
        /**
         * how long a request may be queued; 0 unless action is queue
         */
        wait_seconds: number
        created_at: number
        updated_at: number
      }
      /**
       * whose count it is; of a default, one of those it counts
       */
      subject_id: string
      name: string
      /**
       * used, or taken in advance by a process, in the current window
       */
      used: number
      remaining: number
      /**
       * unix seconds: when something becomes free; 0: nothing is used
       */
      resets_at: number
    }[]
  }
  /**
   * What upstreams have said of their own limits, in the headers of their replies
   */
  'GET /api/limit/learned': {
    data: {
      channel_id: number
      /**
       * of the key, where a channel has several
       */
      key_digest: string
      /**
       * requests or tokens
       */
      measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
      /**
       * 0: it did not say
       */
      amount: number
      remaining: number
      /**
       * unix seconds; 0: it did not say
       */
      resets_at: number
      seen_at: number
    }[]
  }
  /**
   * Remove a limit
   */
  'DELETE /api/limit/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      /**
       * whom or what it is about
       */
      subject: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
      /**
       * id of a token, user or channel, channel/digest of a key, team/user (ids) of a member, name of a group or model, address; * is each
       */
      subject_id: string
      /**
       * what is counted; quota is money
       */
      measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
      /**
       * how long a window is; none, for concurrent, counts what runs at the same time
       */
      period: 'none' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
      /**
       * how much fits into a window, from 1
       */
      amount: number
      /**
       * of the token, user or channel; else the subject_id
       */
      name: string
      /**
       * IANA name: windows of the calendar there; empty: rolling windows
       */
      time_zone: string
      /**
       * of a request that does not fit: reject it, queue it, or only mail root
       */
      action: 'reject' | 'queue' | 'notify'
      /**
       * how long a request may be queued; 0 unless action is queue
       */
      wait_seconds: number
      created_at: number
      updated_at: number
    }
  }
  /**
   * Targets of notices: your own, or those of the gateway
   */
  'GET /api/notify/': {
    query?: {
      /**
       * for administrators: the gateway's own targets
       */
      gateway?: boolean
    }
    data: {
      id: number
      /**
       * null: one of the gateway's own
       */
      user_id: number | null
      /**
       * how it is delivered
       */
      kind: 'webhook' | 'mail' | 'telegram' | 'feishu' | 'bark' | 'slack'
      name: string
      /**
       * host, chat or mail address; without secrets
       */
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
      /**
       * of the texts
       */
      language: 'en' | 'zh'
      enabled: boolean
      created_at: number
      updated_at: number
    }[]
  }
  /**
   * Add a target of notices
   */
  'POST /api/notify/': {
    body: {
      /**
       * how it is delivered
       */
      kind: 'webhook' | 'mail' | 'telegram' | 'feishu' | 'bark' | 'slack'
      name: string
      settings: {
        /**
         * webhook, feishu, slack: the address to post to
         */
        url?: string
        /**
         * webhook: what requests are signed with; feishu: of a bot that checks signatures
         */
        secret?: string
        /**
         * mail: of the gateway's targets; a user's mail goes to the address of the account
         */
        address?: string
        /**
         * telegram: of the bot
         */
        bot_token?: string
        /**
         * telegram: the chat, or @name of a channel
         */
        chat_id?: string
        /**
         * bark: of the device
         */
        device_key?: string
        /**
         * telegram, bark: of another server than the official one
         */
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
      /**
       * of the texts; en unless told otherwise
       */
      language?: 'en' | 'zh'
      enabled?: boolean
      /**
       * for root: one of the gateway's own
       */
      gateway?: boolean
    }
    data: {
      id: number
      /**
       * null: one of the gateway's own
       */
      user_id: number | null
      /**
       * how it is delivered
       */
      kind: 'webhook' | 'mail' | 'telegram' | 'feishu' | 'bark' | 'slack'
      name: string
      /**
       * host, chat or mail address; without secrets
       */
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
      /**
       * of the texts
       */
      language: 'en' | 'zh'
      enabled: boolean
      created_at: number
      updated_at: number
    }
  }
  /**
   * Change a target of notices; settings that are absent stay
   */
  'PUT /api/notify/:id': {
    path: {
      id: number
    }
    body: {
      name?: string
      settings?: {
        /**
         * webhook, feishu, slack: the address to post to
         */
        url?: string
        /**
         * webhook: what requests are signed with; feishu: of a bot that checks signatures
         */
        secret?: string
        /**
         * mail: of the gateway's targets; a user's mail goes to the address of the account
         */
        address?: string
        /**
         * telegram: of the bot
         */
        bot_token?: string
        /**
         * telegram: the chat, or @name of a channel
         */
        chat_id?: string
        /**
         * bark: of the device
         */
        device_key?: string
        /**
         * telegram, bark: of another server than the official one
         */
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
      /**
       * of the texts; en unless told otherwise
       */
      language?: 'en' | 'zh'
      enabled?: boolean
    }
    data: {
      id: number
      /**
       * null: one of the gateway's own
       */
      user_id: number | null
      /**
       * how it is delivered
       */
      kind: 'webhook' | 'mail' | 'telegram' | 'feishu' | 'bark' | 'slack'
      name: string
      /**
       * host, chat or mail address; without secrets
       */
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
      /**
       * of the texts
       */
      language: 'en' | 'zh'
      enabled: boolean
      created_at: number
      updated_at: number
    }
  }
  /**
   * Remove a target of notices with its deliveries
   */
  'DELETE /api/notify/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      /**
       * null: one of the gateway's own
       */
      user_id: number | null
      /**
       * how it is delivered
       */
      kind: 'webhook' | 'mail' | 'telegram' | 'feishu' | 'bark' | 'slack'
      name: string
      /**
       * host, chat or mail address; without secrets
       */
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
      /**
       * of the texts
       */
      language: 'en' | 'zh'
      enabled: boolean
      created_at: number
      updated_at: number
    }
  }
  /**
   * Send a test notice at once; the answer says how it ended
   */
  'POST /api/notify/:id/test': {
    path: {
      id: number
    }
    data: {
      /**
       * also in the header tollgate-delivery of a webhook
       */
      id: number
      notice_id: number
      target_id: number
      /**
       * its name; empty: it is removed
       */
      target: string
      kind: string
      event: string
      subject: string
      /**
       * failed: no further attempt
       */
      state: 'pending' | 'delivered' | 'failed'
      attempts: number
      /**
       * unix seconds of the next attempt of a pending one
       */
      next_at: number
      /**
       * HTTP status of the last reply; 0: there was none
       */
      status: number
      error: string
      created_at: number
      /**
       * unix seconds; 0: not yet
       */
      delivered_at: number
    }
  }
  /**
   * Deliveries, newest first
   */
  'GET /api/notify/deliveries': {
    query?: {
      /**
       * for administrators: the gateway's own targets
       */
      gateway?: boolean
      target_id?: number
      state?: 'pending' | 'delivered' | 'failed'
      /**
       * only smaller ids: the next page follows the last row
       */
      before_id?: number
      page_size?: number
    }
    data: {
      /**
       * also in the header tollgate-delivery of a webhook
       */
      id: number
      notice_id: number
      target_id: number
      /**
       * its name; empty: it is removed
       */
      target: string
      kind: string
      event: string
      subject: string
      /**
       * failed: no further attempt
       */
      state: 'pending' | 'delivered' | 'failed'
      attempts: number
      /**
       * unix seconds of the next attempt of a pending one
       */
      next_at: number
      /**
       * HTTP status of the last reply; 0: there was none
       */
      status: number
      error: string
      created_at: number
      /**
       * unix seconds; 0: not yet
       */
      delivered_at: number
    }[]
  }
  /**
   * Make a delivery that failed or waits due now
   */
  'POST /api/notify/deliveries/:id/retry': {
    path: {
      id: number
    }
    data: {
      /**
       * also in the header tollgate-delivery of a webhook
       */
      id: number
      notice_id: number
      target_id: number
      /**
       * its name; empty: it is removed
       */
      target: string
      kind: string
      event: string
      subject: string
      /**
       * failed: no further attempt
       */
      state: 'pending' | 'delivered' | 'failed'
      attempts: number
      /**
       * unix seconds of the next attempt of a pending one
       */
      next_at: number
      /**
       * HTTP status of the last reply; 0: there was none
       */
      status: number
      error: string
      created_at: number
      /**
       * unix seconds; 0: not yet
       */
      delivered_at: number
    }
  }
  /**
   * Percents at which notices of your balance and budgets are written, where some are set
   */
  'GET /api/notify/thresholds': {
    query?: {
      /**
       * for administrators: of this user
       */
      user_id?: number
    }
    data: {
      /**
       * whose balance or budget
       */
      subject: 'user' | 'token'
      subject_id: number
      /**
       * used percents of the last top-up, of the budget or of a window of quota; empty: no notice
       *
       * @maxItems 10
       */
      percents: number[]
    }[]
  }
  /**
   * Set the percents of your balance or of one of your keys; for administrators of any user
   */
  'PUT /api/notify/thresholds': {
    body: {
      /**
       * whose balance or budget
       */
      subject: 'user' | 'token'
      subject_id: number
      /**
       * used percents of the last top-up, of the budget or of a window of quota; empty: no notice
       *
       * @maxItems 10
       */
      percents: number[]
    }
    data: {
      /**
       * whose balance or budget
       */
      subject: 'user' | 'token'
      subject_id: number
      /**
       * used percents of the last top-up, of the budget or of a window of quota; empty: no notice
       *
       * @maxItems 10
       */
      percents: number[]
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
       * the column to sort by
       */
      sort?: 'id' | 'name' | 'status' | 'quota' | 'created_time' | 'redeemed_time'
      /**
       * with sort; absent: desc
       */
      order?: 'asc' | 'desc'
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
       * how many the whole batch has when it takes several calls; a part of what an Idempotency-Key identifies
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
       * the column to sort by
       */
      sort?: 'id' | 'name' | 'status' | 'quota' | 'created_time' | 'redeemed_time'
      /**
       * with sort; absent: desc
       */
      order?: 'asc' | 'desc'
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
         * the actor who requested a new check; 0 = none
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
       * the actor who requested a new check; 0 = none
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
   * All that the console's dashboard shows, of the own relays or of everybody's
   */
  'GET /api/data/dashboard': {
    query?: {
      /**
       * all: for administrators
       */
      scope?: 'own' | 'all'
      /**
       * for administrators: the relays of this user
       */
      username?: string
      /**
       * 24 if there is no start
       */
      last_hours?: number
      /**
       * unix seconds; instead of last_hours
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; absent: now
       */
      end_timestamp?: number
      by?: 'model' | 'user' | 'token' | 'channel' | 'group'
      /**
       * what the largest are found by
       */
      metric?: 'quota' | 'count' | 'tokens'
    }
    data: {
      /**
       * unix seconds: the start of an hour
       */
      start: number
      /**
       * unix seconds
       */
      end: number
      /**
       * success, latency, errors and all groups but models are counted up to here, unix seconds
       */
      counted_until: number
      /**
       * of one user or team with very many relays: success, latency, errors, keys and members are those of the newest 10 000
       */
      sampled: boolean
      /**
       * the own one
       */
      account: {
        quota: number
        used_quota: number
        request_count: number
      }
      rpm: number
      tpm: number
      totals: {
        /**
         * charged relays
         */
        count: number
        quota: number
        /**
         * prompt and completion tokens
         */
        tokens: number
        /**
         * whole replies
         */
        ok: number
        /**
         * failures, without those of clients that disconnected
         */
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p50: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        first_token_p50: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        first_token_p95: number
      }
      /**
       * the same without the hour that runs
       */
      compared: {
        /**
         * charged relays
         */
        count: number
        quota: number
        /**
         * prompt and completion tokens
         */
        tokens: number
        /**
         * whole replies
         */
        ok: number
        /**
         * failures, without those of clients that disconnected
         */
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p50: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        first_token_p50: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        first_token_p95: number
      }
      /**
       * the same of the period before, which is as long
       */
      previous: {
        /**
         * charged relays
         */
        count: number
        quota: number
        /**
         * prompt and completion tokens
         */
        tokens: number
        /**
         * whole replies
         */
        ok: number
        /**
         * failures, without those of clients that disconnected
         */
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p50: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        first_token_p50: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        first_token_p95: number
      }
      /**
       * the most frequent first
       */
      errors: {
        code: string
        count: number
      }[]
      by: 'model' | 'user' | 'token' | 'channel' | 'group' | 'member'
      /**
       * the largest by the metric, and the others as one
       */
      groups: {
        /**
         * of a model or group, or the id of a user, member, token or channel; empty: all others
         */
        name: string
        /**
         * the present name of a user, token or channel
         */
        label: string
        count: number
        quota: number
        tokens: number
        ok: number
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
      }[]
      /**
       * how many groups the others are
       */
      group_count: number
      /**
       * hours in which a group has something
       */
      series: {
        /**
         * its start, unix seconds
         */
        hour: number
        /**
         * index in groups
         */
        group: number
        count: number
        quota: number
        tokens: number
      }[]
      /**
       * for administrators
       */
      users: {
        /**
         * of a model or group, or the id of a user, member, token or channel; empty: all others
         */
        name: string
        /**
         * the present name of a user, token or channel
         */
        label: string
        count: number
        quota: number
        tokens: number
        ok: number
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
      }[]
      /**
       * of a team, for its owner and admins
       */
      members: {
        /**
         * of a model or group, or the id of a user, member, token or channel; empty: all others
         */
        name: string
        /**
         * the present name of a user, token or channel
         */
        label: string
        count: number
        quota: number
        tokens: number
        ok: number
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
      }[]
      tokens: {
        /**
         * of a model or group, or the id of a user, member, token or channel; empty: all others
         */
        name: string
        /**
         * the present name of a user, token or channel
         */
        label: string
        count: number
        quota: number
        tokens: number
        ok: number
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
      }[]
      /**
       * for administrators
       */
      channels: {
        /**
         * of a model or group, or the id of a user, member, token or channel; empty: all others
         */
        name: string
        /**
         * the present name of a user, token or channel
         */
        label: string
        count: number
        quota: number
        tokens: number
        ok: number
        failed: number
        /**
         * milliseconds, right to 5 %; -1 if nothing was measured
         */
        latency_p95: number
      }[]
      /**
       * the newest ten rows
       */
      newest: {
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
  }
  /**
   * What is done of the first steps: of the gateway for root, else of the own account
   */
  'GET /api/user/first-steps': {
    data: {
      /**
       * in their order; root has more of them than others
       */
      steps: {
        name: 'channel' | 'test' | 'price' | 'key' | 'request' | 'retries' | 'address'
        done: boolean
      }[]
      /**
       * for root: the newest enabled channel; 0 for none
       */
      channel_id: number
      /**
       * for root: models that channels serve without a price
       */
      unpriced_models: string[]
      /**
       * the newest token of the caller that is enabled; 0 for none
       */
      token_id: number
    }
  }
  /**
   * The models that an own API key may ask for, and one for a first request
   */
  'GET /api/token/:id/models': {
    path: {
      id: number
    }
    data: {
      /**
       * by name
       */
      models: string[]
      /**
       * a chat model for a first request, of the cheapest; empty for none
       */
      suggested: string
    }
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
   * Batches of all users, newest first
   */
  'GET /api/batch/': {
    query?: {
      /**
       * from 1
       */
      p?: number
      page_size?: number
      user_id?: number
      channel_id?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
      batch_id?: string
      api?: string
      status?: string
    }
    data: {
      items: {
        id: number
        /**
         * the upstream's id, which clients use too
         */
        batch_id: string
        /**
         * openai or anthropic
         */
        api: string
        user_id: number
        /**
         * its present name; empty if it was deleted
         */
        username: string
        token_id: number
        /**
         * its present name; empty if it was deleted
         */
        token_name: string
        channel_id: number
        /**
         * its present name; empty if it was deleted
         */
        channel_name: string
        endpoint: string
        model: string
        /**
         * empty for batches of messages
         */
        input_file_id: string
        /**
         * the upstream's; submitting: it is not known yet whether the upstream accepted it
         */
        status: string
        request_count: number
        /**
         * charged at its creation
         */
        quota: number
        /**
         * its price; 0 until it is settled
         */
        final_quota: number
        prompt_tokens: number
        completion_tokens: number
        request_id: string
        created_at: number
        expires_at: number
        /**
         * 0: not settled
         */
        settled_at: number
        /**
         * results, channel-deleted, lost, absent; empty until it is settled
         */
        outcome: string
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * One batch
   */
  'GET /api/batch/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      /**
       * the upstream's id, which clients use too
       */
      batch_id: string
      /**
       * openai or anthropic
       */
      api: string
      user_id: number
      /**
       * its present name; empty if it was deleted
       */
      username: string
      token_id: number
      /**
       * its present name; empty if it was deleted
       */
      token_name: string
      channel_id: number
      /**
       * its present name; empty if it was deleted
       */
      channel_name: string
      endpoint: string
      model: string
      /**
       * empty for batches of messages
       */
      input_file_id: string
      /**
       * the upstream's; submitting: it is not known yet whether the upstream accepted it
       */
      status: string
      request_count: number
      /**
       * charged at its creation
       */
      quota: number
      /**
       * its price; 0 until it is settled
       */
      final_quota: number
      prompt_tokens: number
      completion_tokens: number
      request_id: string
      created_at: number
      expires_at: number
      /**
       * 0: not settled
       */
      settled_at: number
      /**
       * results, channel-deleted, lost, absent; empty until it is settled
       */
      outcome: string
    }
  }
  /**
   * Cancel a running batch at its upstream; it pays for the requests that were served
   */
  'POST /api/batch/:id/cancel': {
    path: {
      id: number
    }
    data: {
      id: number
      /**
       * the upstream's id, which clients use too
       */
      batch_id: string
      /**
       * openai or anthropic
       */
      api: string
      user_id: number
      /**
       * its present name; empty if it was deleted
       */
      username: string
      token_id: number
      /**
       * its present name; empty if it was deleted
       */
      token_name: string
      channel_id: number
      /**
       * its present name; empty if it was deleted
       */
      channel_name: string
      endpoint: string
      model: string
      /**
       * empty for batches of messages
       */
      input_file_id: string
      /**
       * the upstream's; submitting: it is not known yet whether the upstream accepted it
       */
      status: string
      request_count: number
      /**
       * charged at its creation
       */
      quota: number
      /**
       * its price; 0 until it is settled
       */
      final_quota: number
      prompt_tokens: number
      completion_tokens: number
      request_id: string
      created_at: number
      expires_at: number
      /**
       * 0: not settled
       */
      settled_at: number
      /**
       * results, channel-deleted, lost, absent; empty until it is settled
       */
      outcome: string
    }
  }
  /**
   * Files of all users at upstreams, newest first
   */
  'GET /api/file/': {
    query?: {
      /**
       * from 1
       */
      p?: number
      page_size?: number
      user_id?: number
      channel_id?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      start_timestamp?: number
      /**
       * unix seconds, inclusive; 0 is open
       */
      end_timestamp?: number
      file_id?: string
      purpose?: string
    }
    data: {
      items: {
        id: number
        /**
         * the upstream's id, which clients use too
         */
        file_id: string
        user_id: number
        /**
         * its present name; empty if it was deleted
         */
        username: string
        channel_id: number
        /**
         * its present name; empty if it was deleted
         */
        channel_name: string
        purpose: string
        /**
         * empty if the upstream has not described it
         */
        filename: string
        /**
         * 0 if the upstream has not described it
         */
        bytes: number
        /**
         * the batch that wrote it; empty: its user uploaded it
         */
        batch_id: string
        created_at: number
      }[]
      total: number
      page: number
      page_size: number
    }
  }
  /**
   * One file
   */
  'GET /api/file/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      /**
       * the upstream's id, which clients use too
       */
      file_id: string
      user_id: number
      /**
       * its present name; empty if it was deleted
       */
      username: string
      channel_id: number
      /**
       * its present name; empty if it was deleted
       */
      channel_name: string
      purpose: string
      /**
       * empty if the upstream has not described it
       */
      filename: string
      /**
       * 0 if the upstream has not described it
       */
      bytes: number
      /**
       * the batch that wrote it; empty: its user uploaded it
       */
      batch_id: string
      created_at: number
    }
  }
  /**
   * Delete a file at its upstream and here
   */
  'DELETE /api/file/:id': {
    path: {
      id: number
    }
    data: {
      id: number
      /**
       * the upstream's id, which clients use too
       */
      file_id: string
      user_id: number
      /**
       * its present name; empty if it was deleted
       */
      username: string
      channel_id: number
      /**
       * its present name; empty if it was deleted
       */
      channel_name: string
      purpose: string
      /**
       * empty if the upstream has not described it
       */
      filename: string
      /**
       * 0 if the upstream has not described it
       */
      bytes: number
      /**
       * the batch that wrote it; empty: its user uploaded it
       */
      batch_id: string
      created_at: number
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
       * tokens of prompt and reply together; 0 if not known
       */
      context_window: number
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
         * tokens of prompt and reply together; 0 if not known
         */
        context_window: number
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
       * what the price depends on
       */
      conditions: {
        /**
         * prompt>200000, tier=flex, effort=high, utc=1630-0030, image, reasoning …
         */
        condition: string
        /**
         * what the price is multiplied by; of images and reasoning what a token costs in prompt tokens
         */
        ratio: number
      }[]
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
      /**
       * GroupDebtLimit: quota that each of its users may owe
       */
      debt?: number
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
  teams?: {
    /**
     * team; members must be users of the gateway
     */
    [k: string]: {
      /**
       * user name; a new team needs it
       */
      owner?: string
      group?: string
      /**
       * false: its keys are rejected
       */
      enabled?: boolean
      /**
       * user names and roles, without the owner; --prune removes other members, and their keys
       */
      members?: {
        /**
         * role
         */
        [k: string]: 'admin' | 'member'
      }
    }
  }
  /**
   * Items: limit
   */
  limits?: {
    /**
     * whom or what it is about
     */
    subject: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
    /**
     * of the user, token, group, model or channel; the address; the user of a member; * is each
     */
    name: string
    /**
     * of a token: its owner's user name
     */
    user?: string
    /**
     * of a token or member: the name of the team
     */
    team?: string
    /**
     * of a channel-key: its position from 1, or its digest, as tollgate limit list shows it
     */
    channel_key?: number | string
    /**
     * what is counted; quota is money, 500000 are one US dollar
     */
    measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
    /**
     * how long a window is; left out for concurrent
     */
    period?: 'none' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
    /**
     * how much fits into a window
     */
    amount: number
    /**
     * IANA name: windows of the calendar there, instead of rolling ones
     */
    time_zone?: string
    /**
     * of a request that does not fit; reject is the default
     */
    action?: 'reject' | 'queue' | 'notify'
    /**
     * of queue: how long a request may wait
     */
    wait_seconds?: number
  }[]
  /**
   * Items: management key
   */
  management_keys?: {
    /**
     * user name of its owner
     */
    user: string
    name: string
    /**
     * env:NAME, file:PATH or command:LINE; tgm_ and 40 to 128 random letters and digits. A new key needs it
     */
    key?: string
    /**
     * such as codes:create
     *
     * @minItems 1
     */
    scopes: string[]
    /**
     * quota that it may give away in all; left out: not limited
     */
    quota_max?: number
    /**
     * date, or date and time with its zone (ISO 8601); left out: never
     */
    expires_at?: string
  }[]
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
      /**
       * GroupDebtLimit: quota that each of its users may owe
       */
      debt?: number
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
  teams?: {
    /**
     * team; members must be users of the gateway
     */
    [k: string]: {
      /**
       * user name; a new team needs it
       */
      owner?: string
      group?: string
      /**
       * false: its keys are rejected
       */
      enabled?: boolean
      /**
       * user names and roles, without the owner; --prune removes other members, and their keys
       */
      members?: {
        /**
         * role
         */
        [k: string]: 'admin' | 'member'
      }
    }
  }
  /**
   * Items: limit
   */
  limits?: {
    /**
     * whom or what it is about
     */
    subject: 'token' | 'user' | 'group' | 'model' | 'channel' | 'channel-key' | 'address' | 'member'
    /**
     * of the user, token, group, model or channel; the address; the user of a member; * is each
     */
    name: string
    /**
     * of a token: its owner's user name
     */
    user?: string
    /**
     * of a token or member: the name of the team
     */
    team?: string
    /**
     * of a channel-key: its position from 1, or its digest, as tollgate limit list shows it
     */
    channel_key?: number | string
    /**
     * what is counted; quota is money, 500000 are one US dollar
     */
    measure: 'requests' | 'tokens' | 'quota' | 'concurrent'
    /**
     * how long a window is; left out for concurrent
     */
    period?: 'none' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
    /**
     * how much fits into a window
     */
    amount: number
    /**
     * IANA name: windows of the calendar there, instead of rolling ones
     */
    time_zone?: string
    /**
     * of a request that does not fit; reject is the default
     */
    action?: 'reject' | 'queue' | 'notify'
    /**
     * of queue: how long a request may wait
     */
    wait_seconds?: number
  }[]
  /**
   * Items: management key
   */
  management_keys?: {
    /**
     * user name of its owner
     */
    user: string
    name: string
    /**
     * env:NAME, file:PATH or command:LINE; tgm_ and 40 to 128 random letters and digits. A new key needs it
     */
    key?: string
    /**
     * such as codes:create
     *
     * @minItems 1
     */
    scopes: string[]
    /**
     * quota that it may give away in all; left out: not limited
     */
    quota_max?: number
    /**
     * date, or date and time with its zone (ISO 8601); left out: never
     */
    expires_at?: string
  }[]
}
