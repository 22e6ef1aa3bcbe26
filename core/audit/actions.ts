/** All audited actions. The part before the dot is the kind of object. */
export const AUDIT_ACTIONS = [
  ...['user.create', 'user.update', 'user.manage', 'user.quota', 'user.delete'],
  ...['option.set', 'option.reset'],
  ...['channel.create', 'channel.copy', 'channel.update', 'channel.status', 'channel.tag', 'channel.delete'],
  ...['channel.repair', 'channel.test', 'channel.balance', 'channel.balances', 'channel.models'],
  ...['token.create', 'token.update', 'token.status', 'token.delete'],
  ...['redemption.create', 'redemption.read', 'redemption.update', 'redemption.status', 'redemption.delete'],
  ...['redemption.redeem'],
  ...['team.create', 'team.update', 'team.quota', 'team.member', 'team.key', 'team.delete'],
  ...['limit.set', 'limit.remove'],
  ...['notice.create', 'notice.update', 'notice.delete', 'notice.test', 'notice.retry', 'notice.threshold'],
  ...['api-key.create', 'api-key.update', 'api-key.revoke'],
  ...['batch.cancel'],
  ...['file.delete'],
  ...['payment.replay'],
  ...['log.clear', 'log.archive'],
  ...['ledger.repair'],
  ...['job.start'],
  ...['import.run', 'import.undo'],
  ...['export.run'],
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]
