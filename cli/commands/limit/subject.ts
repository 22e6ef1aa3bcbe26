import { type Command, Option } from 'commander'
import type { Actor } from '../../../core/actor.ts'
import { EACH, LIMIT_SUBJECTS, type LimitSubject } from '../../../core/limits/limit.ts'
import type { LimitQuery } from '../../../core/limits/limits.ts'
import type { CommandToolkit } from '../../toolkit.ts'
import { userIdOf } from '../../users.ts'

export interface SubjectFlags {
  subject?: LimitSubject
  of?: string
}

export function withSubject(command: Command): Command {
  return command
    .addOption(new Option('--subject <kind>', 'filter by subject').choices([...LIMIT_SUBJECTS]))
    .option('--of <name|id>', 'filter by name or ID; needs --subject')
}

/** Accepts a user's name or id, for other subjects the API's identifier. Throws USER_NOT_FOUND. */
export async function subjectIdOf(
  toolkit: CommandToolkit,
  actor: Actor,
  { subject, id }: { subject: LimitSubject; id: string },
): Promise<string> {
  if (subject !== 'user' || id === EACH) return id
  return String(await userIdOf(toolkit, actor, id))
}

export async function limitQuery(
  toolkit: CommandToolkit,
  actor: Actor,
  { subject, of }: SubjectFlags,
): Promise<LimitQuery> {
  if (subject === undefined) return {}
  return of === undefined
    ? { subject }
    : { subject, subject_id: await subjectIdOf(toolkit, actor, { subject, id: of }) }
}
