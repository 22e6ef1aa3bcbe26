import { USER_STATUS } from '../../../../core/actor.ts'
import type { LocalToolkit } from '../../../../core/toolkit.ts'
import { sessionUser } from '../../../api/access.ts'
import { queryOf } from '../../admission/admission.ts'
import { apiKeyOf } from '../../admission/authenticate.ts'
import { callerOf } from '../submission.ts'
import type { DrawingRequest } from './request.ts'

/**
 * Returns a function that decides whether a request may read the images of a user. Throws TOKEN_* and USER_DISABLED for
 * an invalid key.
 *
 * A signed link permits the images of the user in its signature. A key or a session permits the images of its own user.
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
  if (apiKeyOf(request.headers, queryOf(request)) !== '') {
    const { user } = await callerOf(toolkit, request, { free: true })
    return user.id
  }
  const user = await sessionUser(toolkit, request)
  return user?.status === USER_STATUS.enabled ? user.id : undefined
}
