import { join } from 'node:path'
import { createAccessTokens } from './accounts/access-tokens.ts'
import { createAccounts } from './accounts/accounts.ts'
import { createDevices } from './accounts/devices.ts'
import { createGuesses } from './accounts/guesses.ts'
import { createIdentities } from './accounts/identities.ts'
import { createPasswordReset } from './accounts/password-reset.ts'
import { createPasswords, type HashCost } from './accounts/passwords.ts'
import { createProfile } from './accounts/profile.ts'
import { createQuotaReminders } from './accounts/quota-reminders.ts'
import { createRegistration } from './accounts/registration.ts'
import { createAudit } from './audit/audit.ts'
import { createBatches } from './batches/batches.ts'
import { createUpstreamFiles } from './batches/files.ts'
import { createBatchRecords } from './batches/records.ts'
import { createFollower } from './changes/follower.ts'
import { createChannels } from './channels/channels.ts'
import { type ChannelDirectory, createChannelDirectory } from './channels/routing/directory.ts'
import type { Config } from './config.ts'
import { createConfiguration } from './configuration/configuration.ts'
import { databaseClock, databaseClockMs } from './db/clock.ts'
import { createClockSkew } from './db/clock-skew.ts'
import type { Database, OpenOptions } from './db/database.ts'
import { keepPartitions } from './db/log-partitions.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { repairSequences } from './db/sequences.ts'
import { requireUsable } from './db/usable.ts'
import { GatewayError } from './errors.ts'
import { createExports } from './export/exports.ts'
import { createGroups } from './groups/groups.ts'
import { createImports } from './import/imports.ts'
import { createJobs } from './jobs/jobs.ts'
import { createLeases } from './jobs/leases.ts'
import { signWith } from './ledger/chain.ts'
import { createLedger } from './ledger/ledger.ts'
import { createLimits } from './limits/limits.ts'
import { createLiveLimits } from './limits/live.ts'
import { createLogArchive } from './logs/archive/archive.ts'
import { createLogs } from './logs/logs.ts'
import { quotaDisplay } from './logs/quota-display.ts'
import { createMail } from './mail/mail.ts'
import { createManagementKeys } from './management-keys/management-keys.ts'
import { openSecrets, rememberSecrets } from './master-key.ts'
import { createNotices } from './notices/notices.ts'
import { createOptions } from './options/options.ts'
import { OPTIONS } from './options/registry.ts'
import { createPricing } from './pricing/pricing.ts'
import { createRealtimeKeys } from './realtime-keys.ts'
import { createRedemption } from './redemption/redemption.ts'
import { createRelayOutcomes } from './relay-outcomes.ts'
import { createConversationStore } from './responses/conversations.ts'
import { createResponseStore } from './responses/responses.ts'
import { createRetention } from './retention.ts'
import { createSensitiveWords } from './sensitive/sensitive.ts'
import { createSessions } from './sessions.ts'
import { createStoredObjects } from './stored-objects.ts'
import { createPictureLinks } from './tasks/drawing-picture.ts'
import { createDrawings } from './tasks/drawings.ts'
import { createTaskLifecycle } from './tasks/lifecycle.ts'
import { createMusic } from './tasks/music.ts'
import { createTasks } from './tasks/tasks.ts'
import { createTeams } from './teams/teams.ts'
import { createKeptThoughts } from './thoughts.ts'
import { createCallerDirectory } from './tokens/directory.ts'
import { createTokens } from './tokens/tokens.ts'
import { createVerification } from './verification.ts'
import { createWallet } from './wallet/wallet.ts'

/** Maximum time that a ping waits for the database. */
const PING_MS = 5000

/** The Toolkit of a process that has its own database connection, with the relay's caches and background work. */
export type LocalToolkit = Awaited<ReturnType<typeof openToolkit>>

/** All operations of Tollgate, for the REST API, the command line and the tests. */
export type Toolkit = Pick<
  LocalToolkit,
  | 'audit'
  | 'accounts'
  | 'accessTokens'
  | 'managementKeys'
  | 'identities'
  | 'registration'
  | 'passwordReset'
  | 'profile'
  | 'mail'
  | 'sessions'
  | 'devices'
  | 'options'
  | 'channels'
  | 'teams'
  | 'tokens'
  | 'redemption'
  | 'wallet'
  | 'groups'
  | 'pricing'
  | 'ledger'
  | 'limits'
  | 'notices'
  | 'logs'
  | 'tasks'
  | 'jobs'
  | 'events'
  | 'configuration'
  | 'ping'
  | 'close'
>

interface ToolkitOptions extends OpenOptions {
  /** Returns Unix seconds. Replaces the clocks of this process and of the database. */
  now?: () => number
  /** Is called with errors of background work. */
  onFailure?: (error: unknown) => void
  /** Whether to check the database for damage (for at most a second) and repair sequences first, as gateways do. */
  checkDatabase?: boolean
  /** Hashing cost of passwords. Only tests that create many users set it. */
  hashCost?: HashCost
}

/**
 * Connects to the database, migrates it and returns the Toolkit. Throws DATABASE_UNREACHABLE, DATABASE_DAMAGED,
 * DATA_FOLDER_UNWRITABLE, DATABASE_NEWER, DATABASE_FOREIGN, DATABASE_UNFINISHED, SECRET_WRONG or SECRET_MISSING.
 */
export async function openToolkit(
  config: Pick<Config, 'databaseUrl' | 'secret' | 'dataFolder'>,
  { now: testNow, onFailure = () => {}, onFatal = () => {}, checkDatabase = false, hashCost }: ToolkitOptions = {},
) {
  const now = testNow ?? (() => Math.floor(Date.now() / 1000))
  const db = await openDatabase(config.databaseUrl, { onFatal })
  const clock = testNow ? async () => testNow() : databaseClock(db)
  try {
    if (checkDatabase) await db.quickCheck?.()
    await requireUsable(db)
    const secrets = await openSecrets(db, config)
    const sign = signWith(secrets)
    const wasMigrated = await migrate(db, { sign })
    if (wasMigrated || checkDatabase) await keepPartitions(db).catch(onFailure)
    if (checkDatabase) {
      for (const { table, largest } of await repairSequences(db)) {
        onFailure(new Error(`The sequence of ${table} was behind its largest id ${largest}: repaired`))
      }
    }
    await rememberSecrets(db, secrets, config)

    const follower = createFollower({ db, now, onFailure })
    const audit = createAudit({ db, secrets, now })
    const options = await createOptions({ db, secrets, follower, audit })
    const settings = {
      hasLogRows: () => options.get(OPTIONS.LogConsumeEnabled),
      isCounted: () => options.get(OPTIONS.LogConsumeEnabled) && options.get(OPTIONS.DataExportEnabled),
      groupDebts: () => options.get(OPTIONS.GroupDebtLimit),
    }
    const ledger = createLedger({
      db,
      now,
      clock,
      ...(testNow && { monotonicMs: () => testNow() * 1000 }),
      journalFolder: join(config.dataFolder, 'journal'),
      settings,
      sign,
      audit,
      onFailure,
    })
    for (const kind of ['user', 'token'] as const)
      follower.on(kind, (ids) => ledger.giveBackReserves(kind, ids?.map(Number)))
    const display = () => quotaDisplay(options)
    const logs = createLogs({ db, secrets, display, sign, audit, now })
    const logArchive = createLogArchive({ db, sign, audit, logs, now })
    const accessTokens = createAccessTokens({ db, secrets })
    const tokens = createTokens({ db, secrets, ledger, options, follower, audit, now })
    const passwords = createPasswords({ options, cost: hashCost })
    const guesses = createGuesses({ db, secrets, now })
    const devices = createDevices({ secrets })
    const mail = createMail({ options })
    const verification = createVerification({ db, secrets, now })
    const pictureLinks = createPictureLinks({ secrets, options })
    const clockMs = testNow ? async () => testNow() * 1000 : databaseClockMs(db)
    const redemption = createRedemption({ db, ledger, logs, options, audit, now })
    const liveLimits = createLiveLimits({ db, ledger, options, follower, clock: clockMs, onFailure })
    const limits = createLimits({ db, options, follower, audit, secrets, clock: clockMs, now })
    let directory: Promise<ChannelDirectory> | undefined
    const common = { db, options, follower, now }
    return {
      db,
      /** The difference between the clocks of this process and the database. */
      clockSkew: createClockSkew(db),
      audit,
      accounts: createAccounts({ ...common, ledger, logs, passwords, guesses, devices, mail, audit, onFailure }),
      devices,
      accessTokens,
      managementKeys: createManagementKeys({ db, secrets, audit, now }),
      identities: createIdentities({ ...common, ledger, logs, secrets }),
      registration: createRegistration({ ...common, ledger, logs, secrets, passwords, verification, mail }),
      passwordReset: createPasswordReset({ ...common, guesses, passwords, verification, mail, onFailure }),
      profile: createProfile({ ...common, ledger, passwords, verification, accessTokens }),
      mail,
      sessions: createSessions({ db, secrets, now }),
      options,
      channels: createChannels({ db, secrets, follower, audit, now }),
      tokens,
      redemption,
      teams: createTeams({ db, secrets, ledger, logs, tokens, redemption, options, follower, audit, now }),
      wallet: createWallet({ db, ledger, logs, options, audit, now, onFailure }),
      groups: createGroups({ db, options }),
      pricing: createPricing({ options }),
      ledger,
      limits,
      notices: createNotices({ db, secrets, audit, now, display, clock, clockMs }),
      /** Enforces limits on requests. Has no effect until a gateway starts it. */
      liveLimits,
      logs,
      logArchive,
      retention: createRetention({ db, logs, logArchive, options, now }),
      tasks: createTasks({ db, pictureLinks }),
      pictureLinks,
      drawings: createDrawings({ db }),
      jobs: createJobs({ db, clock }),
      leases: createLeases({ db, clock }),
      configuration: createConfiguration({ db, secrets, ledger, logs, audit, follower, now, clock: clockMs }),
      exports: createExports({ db, secrets, audit, now }),
      imports: createImports({ db, secrets, sign, audit, follower, now }),
      relayOutcomes: createRelayOutcomes({ db, ledger, now, onFailure }),
      storedObjects: createStoredObjects({ db, now }),
      responses: createResponseStore({ db, secrets, options, now }),
      conversations: createConversationStore({ db, secrets, options, now }),
      thoughts: createKeptThoughts({ db, secrets, now }),
      realtimeKeys: createRealtimeKeys({ db, secrets, now }),
      quotaReminders: createQuotaReminders({ db, options, mail, display }),
      taskLifecycle: createTaskLifecycle({ db, ledger, logs }),
      batches: createBatches({ db, ledger, logs, now }),
      upstreamFiles: createUpstreamFiles({ db, now }),
      batchRecords: createBatchRecords({ db }),
      music: createMusic({ db }),
      events: follower,
      /** Checks that the database replies. Throws DATABASE_SILENT. */
      ping: (): Promise<void> => ping(db),
      callers: createCallerDirectory({ db, secrets, follower }),
      sensitiveWords: createSensitiveWords({ db, options, now }),
      /** Returns the channel directory. The first call loads all channels and their keys. */
      channelDirectory(): Promise<ChannelDirectory> {
        directory ??= createChannelDirectory({ db, secrets, follower })
        return directory
      },
      /** Settles waiting charges and closes the database. */
      async close(): Promise<void> {
        await liveLimits.close()
        await ledger.close()
        await follower.close()
        await db.close()
      },
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Runs a query without effect. Throws DATABASE_SILENT if it fails or takes too long. */
async function ping({ reader }: Pick<Database, 'reader'>): Promise<void> {
  try {
    await reader.raw('SELECT 1').timeout(PING_MS)
  } catch (cause) {
    throw new GatewayError('DATABASE_SILENT', {}, { cause })
  }
}
