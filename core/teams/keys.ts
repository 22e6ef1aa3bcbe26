import type { Actor } from '../actor.ts'
import { GatewayError } from '../errors.ts'
import type { Page, Paging } from '../input.ts'
import type { NewToken, Token } from '../tokens/token.ts'
import { asTeam, requireAccess, type TeamAccess } from './access.ts'
import type { TeamParts } from './parts.ts'

/**
 * Manages the keys of teams. A team key is a token of the team's account. Owner and admins manage all keys, and members
 * manage the keys that they created. Only the creator sees the text of a key.
 *
 * All operations throw TEAM_NOT_FOUND, TOKEN_NOT_FOUND, and the errors of the same operation of `Tokens`.
 */
export type TeamKeys = ReturnType<typeof createTeamKeys>

export function createTeamKeys({ db, tokens, audit }: TeamParts) {
  const hideForeignKey = (actor: Actor, token: Token): Token =>
    token.member_id === actor.id ? token : { ...token, key: '' }

  /** Returns the actor's rights in the team. Throws TOKEN_NOT_FOUND if the actor may not manage the key. */
  async function requireKey(actor: Actor, id: number, tokenId: number): Promise<TeamAccess> {
    const access = await requireAccess(db.reader, actor, id)
    const row = await db.reader('tokens').where({ id: tokenId, user_id: id }).whereNull('deleted_at').first('member_id')
    const isOwn = row?.member_id === actor.id
    if (!row || (access.role === 'member' && !isOwn)) throw new GatewayError('TOKEN_NOT_FOUND', { id: tokenId })
    return access
  }

  /** Changes a key like `changeKey`. Returns the key, whose text only its creator sees. */
  const editKey = async (actor: Actor, id: number, tokenId: number, edit: (team: Actor) => Promise<Token>) =>
    hideForeignKey(actor, await changeKey(actor, id, tokenId, edit))

  /** Changes a key with `work`. Audits the change if the actor is not a member. */
  async function changeKey<T>(
    actor: Actor,
    id: number,
    tokenId: number,
    work: (team: Actor) => Promise<T>,
  ): Promise<T> {
    const access = await requireKey(actor, id, tokenId)
    const result = await work(asTeam(access))
    if (access.ownRole === undefined) {
      await audit.writeAlone(actor, { action: 'team.key', object: `team:${id}`, after: { token: tokenId } })
    }
    return result
  }

  return {
    async list(actor: Actor, id: number, query: Paging & { keyword?: string } = {}): Promise<Page<Token>> {
      const access = await requireAccess(db.reader, actor, id)
      const memberId = access.role === 'member' ? { memberId: actor.id } : {}
      const page = await tokens.list(asTeam(access), { ...query, ...memberId })
      return { ...page, items: page.items.map((token) => hideForeignKey(actor, token)) }
    },

    async get(actor: Actor, id: number, tokenId: number): Promise<Token> {
      return hideForeignKey(actor, await tokens.get(asTeam(await requireKey(actor, id, tokenId)), tokenId))
    },

    /** Creates a key of the actor, who must be a member. Throws TEAM_MEMBERS_ONLY. */
    async create(actor: Actor, id: number, token: NewToken): Promise<Token> {
      const access = await requireAccess(db.reader, actor, id)
      if (!access.ownRole) throw new GatewayError('TEAM_MEMBERS_ONLY', { name: access.name })
      return tokens.create(asTeam(access), token, { memberId: actor.id })
    },

    update: (actor: Actor, id: number, tokenId: number, changes: Partial<NewToken>): Promise<Token> =>
      editKey(actor, id, tokenId, (team) => tokens.update(team, tokenId, changes)),
    setStatus: (actor: Actor, id: number, tokenId: number, status: number): Promise<Token> =>
      editKey(actor, id, tokenId, (team) => tokens.setStatus(team, tokenId, status)),
    delete: (actor: Actor, id: number, tokenId: number): Promise<void> =>
      changeKey(actor, id, tokenId, (team) => tokens.delete(team, tokenId)),
  }
}
