import type { Catalogue } from '../texts.ts'
import { account } from './zh/account.ts'
import { channel } from './zh/channel.ts'
import { general } from './zh/general.ts'
import { server } from './zh/server.ts'
import { user } from './zh/user.ts'
import { wallet } from './zh/wallet.ts'

/** Chinese, a file for each noun. */
export const zh: Catalogue = { ...general, ...account, ...channel, ...server, ...user, ...wallet }
