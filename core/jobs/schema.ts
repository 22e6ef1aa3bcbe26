import { Type } from 'typebox'

/** A job in the management API. */
export const JobSchema = Type.Object(
  {
    name: Type.String(),
    every: Type.Integer({ description: 'seconds from one start to the next; 0: only on request' }),
    leader: Type.String({
      description: 'process that starts the job: machine/process/random; empty: none at the moment',
    }),
    running: Type.Boolean(),
    started_at: Type.Integer({ description: 'unix seconds; 0: never' }),
    finished_at: Type.Integer({ description: 'unix seconds; 0: not yet' }),
    outcome: Type.String({ description: 'done, stopped or failed, with details after a colon; empty: not finished' }),
  },
  { title: 'Job' },
)
