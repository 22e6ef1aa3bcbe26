import { type Static, Type } from 'typebox'
import { ReceiptSchema } from './receipt-schema.ts'

/** One attempt at one channel, for administrators. */
export const TracedAttempt = Type.Object({
  channel: Type.Integer({ description: 'id' }),
  channel_name: Type.String({ description: 'its current name; empty if it was deleted' }),
  key_number: Type.Optional(Type.Integer({ description: "which of the channel's several keys, from 1" })),
  answered: Type.Boolean({ description: 'whether this channel served the reply' }),
  status: Type.Integer({ description: 'HTTP status of the upstream; 0 for none' }),
  code: Type.String({ description: 'error code; empty for none' }),
  ms: Type.Integer({ description: 'milliseconds; -1 if not measured' }),
  message: Type.String({ description: 'error message of the upstream' }),
})

/** The course of one request, from its log rows. */
export const RequestTrace = Type.Object({
  request_id: Type.String(),
  created_at: Type.Integer({ description: 'unix seconds of its end' }),
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
})
export type RequestTrace = Static<typeof RequestTrace>
