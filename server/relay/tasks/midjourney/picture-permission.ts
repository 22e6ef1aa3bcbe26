import { USER_STATUS } from '../../../../core/actor.ts'
import type { LocalToolkit } from '../../../../core/toolkit.ts'
import { sessionUser } from '../../../api/access.ts'
import { queryOf } from '../../admission/admission.ts'
import { keyOf } from '../../admission/authenticate.ts'
import { callerOf } from '../submission.ts'
import type { DrawingRequest } from './request.ts'

/**
 * Returns whose pictures a request may see: by a signed link those that it was made for, by an API key or a session those of
 * its owner. Without any of them, none. Throws TOKEN_* and USER_DISABLED for a key that is not good.
 */
export async function permissionOf(
  toolkit: LocalToolkit,
  request: DrawingRequest,
): Promise<(userId: number) => boolean> {
  const { signature } = request.query as { signature?: unknown }
  const mj_id = request.params.id
  if (typeof signature === 'string') return (user_id) => toolkit.pictureLinks.isSigned({ user_id, mj_id }, signature)
  const ownerId = await ownerOf(toolkit, request)
  return (userId) => userId === ownerId
}

async function ownerOf(toolkit: LocalToolkit, request: DrawingRequest): Promise<number | undefined> {
  if (keyOf(request.headers, queryOf(request)) !== '') {
    const { user } = await callerOf(toolkit, request, { free: true })
    return user.id
  }
  const user = await sessionUser(toolkit, request)
  return user?.status === USER_STATUS.enabled ? user.id : undefined
}
