/** Fields that several resources read: their bounds are those of the database's columns. */
import { Type } from 'typebox'
import { QUOTA_MAX } from '../../core/input.ts'

export const ID_MAX = 2 ** 31 - 1

export const Id = Type.Integer({ minimum: 0, maximum: ID_MAX })
export const IdParams = Type.Object({ id: Id })

/** Signed: what is below 0 is for core to judge. */
export const QUOTA = Type.Integer({ minimum: -QUOTA_MAX, maximum: QUOTA_MAX })

/** A short text, such as a name: how short, core judges. */
export const Text = Type.String({ maxLength: 1000 })

/** Longer than anything that is accepted, so that what is too long is told by the rule of its field. */
export const text = (description?: string) => Type.String({ maxLength: 1024, ...(description && { description }) })

/** Calls that are documented to answer nothing but that it is done can be asked for what was made. */
export const AnswerMode = {
  answer: Type.Optional(Type.Literal('record', { description: 'answer the record itself' })),
}
