import { type Static, Type } from 'typebox'
import { ReceiptSchema } from './receipt-schema.ts'

/** One attempt at one channel, for administrators. */
const TracedAttempt = Type.Object({
  channel: Type.Integer({ description: 'channel id' }),
  channel_name: Type.String({ description: 'current name; empty if the channel was deleted' }),
  key_number: Type.Optional(Type.Integer({ description: 'position of the key, from 1, if the channel has several' })),
  answered: Type.Boolean({ description: 'whether this channel served the reply' }),
  status: Type.Integer({ description: 'HTTP status of the upstream; 0 for none' }),
  code: Type.String({ description: 'error code; empty for none' }),
  ms: Type.Integer({ description: 'milliseconds; -1 if not measured' }),
  message: Type.String({ description: 'error message of the upstream' }),
})

/** The attempts and the outcome of one request, from its log rows. */
export const RequestTrace = Type.Object(
  {
    request_id: Type.String(),
    created_at: Type.Integer({ description: 'end of the request, unix seconds' }),
    user_id: Type.Integer(),
    username: Type.String(),
    token_name: Type.String(),
    model_name: Type.String(),
    group: Type.String(),
    use_time: Type.Integer({ description: 'seconds' }),
    is_stream: Type.Boolean(),
    outcome: Type.Unsafe<'complete' | 'incomplete' | 'failed'>({
      type: 'string',
      enum: ['complete', 'incomplete', 'failed'],
      description: 'incomplete: charged for the part that was delivered',
    }),
    status: Type.Integer({ description: 'HTTP status of a failure; 0 for none' }),
    code: Type.String({ description: 'error code of a failure; empty for none' }),
    message: Type.String({ description: 'error message to the client; empty for none' }),
    end_reason: Type.String({ description: 'why an incomplete reply ended; empty for none' }),
    first_token_ms: Type.Integer({ description: '-1 if not measured' }),
    upstream_request_id: Type.String({ description: 'for administrators; empty if unknown' }),
    attempt_count: Type.Integer({ description: '0 if the request was rejected before any channel was tried' }),
    attempts: Type.Array(TracedAttempt, { description: 'for administrators, in order' }),
    suppressed: Type.Integer({ description: 'failures of the same second that this record represents' }),
    charged: Type.Integer({ description: 'quota' }),
    receipt: Type.Optional(ReceiptSchema),
  },
  { title: 'RequestTrace' },
)
export type RequestTrace = Static<typeof RequestTrace>
