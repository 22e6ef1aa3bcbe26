import { join } from 'node:path'
import { type AccessTokens, createAccessTokens } from './accounts/access-tokens.ts'
import { type Accounts, createAccounts } from './accounts/accounts.ts'
import { createDevices, type Devices } from './accounts/devices.ts'
import { createGuesses } from './accounts/guesses.ts'
import { createIdentities, type Identities } from './accounts/identities.ts'
import { createPasswordReset, type PasswordReset } from './accounts/password-reset.ts'
import { createPasswords, type HashCost } from './accounts/passwords.ts'
import { createProfile, type Profile } from './accounts/profile.ts'
import { createQuotaReminders, type QuotaReminders } from './accounts/quota-reminders.ts'
import { createRegistration, type Registration } from './accounts/registration.ts'
import { type Audit, createAudit } from './audit/audit.ts'
import { type Batches, createBatches } from './batches/batches.ts'
import { createUpstreamFiles, type UpstreamFiles } from './batches/files.ts'
import { type BatchRecords, createBatchRecords } from './batches/records.ts'
import { createFollower, type Follower } from './changes/follower.ts'
import { type Channels, createChannels } from './channels/channels.ts'
import { type ChannelDirectory, createChannelDirectory } from './channels/routing/directory.ts'
import type { Config } from './config.ts'
import { type Configuration, createConfiguration } from './configuration/configuration.ts'
import { databaseClock, databaseClockMs } from './db/clock.ts'
import { type ClockSkew, createClockSkew } from './db/clock-skew.ts'
import type { Database, OpenOptions } from './db/database.ts'
import { keepPartitions } from './db/log-partitions.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { repairSequences } from './db/sequences.ts'
import { requireUsable } from './db/usable.ts'
import { GatewayError } from './errors.ts'
import { createExports, type Exports } from './export/exports.ts'
import { createGroups, type Groups } from './groups/groups.ts'
import { createImports, type Imports } from './import/imports.ts'
import { createJobs, type Jobs } from './jobs/jobs.ts'
import { createLeases, type Leases } from './jobs/leases.ts'
import { signWith } from './ledger/chain.ts'
import { createLedger, type Ledger } from './ledger/ledger.ts'
import { createLimits, type Limits } from './limits/limits.ts'
import { createLiveLimits, type LiveLimits } from './limits/live.ts'
import { createLogArchive, type LogArchive } from './logs/archive/archive.ts'
import { createLogs, type Logs } from './logs/logs.ts'
import { quotaDisplay } from './logs/quota-display.ts'
import { createMail, type Mail } from './mail/mail.ts'
import { createManagementKeys, type ManagementKeys } from './management-keys/management-keys.ts'
import { openSecrets, rememberSecrets } from './master-key.ts'
import { createNotices, type Notices } from './notices/notices.ts'
import { createOptions, type Options } from './options/options.ts'
import { OPTIONS } from './options/registry.ts'
import { createPricing, type Pricing } from './pricing/pricing.ts'
import { createRealtimeKeys, type RealtimeKeys } from './realtime-keys.ts'
import { createRedemption, type Redemptions } from './redemption/redemption.ts'
import { createRelayOutcomes, type RelayOutcomes } from './relay-outcomes.ts'
import { type ConversationStore, createConversationStore } from './responses/conversations.ts'
import { createResponseStore, type ResponseStore } from './responses/responses.ts'
import { createRetention, type Retention } from './retention.ts'
import { createSensitiveWords, type SensitiveWords } from './sensitive/sensitive.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createStoredObjects, type StoredObjects } from './stored-objects.ts'
import { createPictureLinks, type PictureLinks } from './tasks/drawing-picture.ts'
import { createDrawings, type Drawings } from './tasks/drawings.ts'
import { createTaskLifecycle, type TaskLifecycle } from './tasks/lifecycle.ts'
import { createMusic, type Music } from './tasks/music.ts'
import { createTasks, type Tasks } from './tasks/tasks.ts'
import { createTeams, type Teams } from './teams/teams.ts'
import { createKeptThoughts, type ReasoningStore } from './thoughts.ts'
import { type CallerDirectory, createCallerDirectory } from './tokens/directory.ts'
import { createTokens, type Tokens } from './tokens/tokens.ts'
import { createVerification } from './verification.ts'
import { createWallet, type Wallet } from './wallet/wallet.ts'

/** Maximum time that a ping waits for the database. */
const PING_MS = 5000

/** All operations of Tollgate, for the REST API, the command line and the tests. */
export interface Toolkit {
  readonly audit: Audit
  readonly accounts: Accounts
  readonly accessTokens: AccessTokens
  readonly managementKeys: ManagementKeys
  readonly identities: Identities
  readonly registration: Registration
  readonly passwordReset: PasswordReset
  readonly profile: Profile
  readonly mail: Mail
  readonly sessions: Sessions
  readonly devices: Devices
  readonly options: Options
  readonly channels: Channels
  readonly teams: Teams
  readonly tokens: Tokens
  readonly redemption: Redemptions
  readonly wallet: Wallet
  readonly groups: Groups
  readonly pricing: Pricing
  readonly ledger: Ledger
  readonly limits: Limits
  readonly notices: Notices
  readonly logs: Logs
  readonly tasks: Tasks
  readonly jobs: Jobs
  readonly events: Follower
  readonly configuration: Configuration
  /** Checks that the database replies. Throws DATABASE_SILENT. */
  ping(): Promise<void>
  /** Settles waiting charges and closes the database. */
  close(): Promise<void>
}

/** The Toolkit of a process that has its own database connection. Adds the relay's caches and background work. */
export interface LocalToolkit extends Toolkit {
  readonly db: Database
  /** The difference between the clocks of this process and the database. */
  readonly clockSkew: ClockSkew
  /** Returns the channel directory. The first call loads all channels and their keys. */
  channelDirectory(): Promise<ChannelDirectory>
  readonly callers: CallerDirectory
  readonly sensitiveWords: SensitiveWords
  readonly logArchive: LogArchive
  readonly retention: Retention
  readonly taskLifecycle: TaskLifecycle
  readonly batches: Batches
  readonly upstreamFiles: UpstreamFiles
  readonly batchRecords: BatchRecords
  readonly drawings: Drawings
  readonly pictureLinks: PictureLinks
  readonly music: Music
  readonly leases: Leases
  readonly imports: Imports
  readonly exports: Exports
  readonly relayOutcomes: RelayOutcomes
  readonly storedObjects: StoredObjects
  readonly responses: ResponseStore
  readonly conversations: ConversationStore
  readonly thoughts: ReasoningStore
  readonly realtimeKeys: RealtimeKeys
  readonly quotaReminders: QuotaReminders
  /** Enforces limits on requests. Has no effect until a gateway starts it. */
  readonly liveLimits: LiveLimits
}

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
): Promise<LocalToolkit> {
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
      ping: () => ping(db),
      callers: createCallerDirectory({ db, secrets, follower }),
      sensitiveWords: createSensitiveWords({ db, options, now }),
      channelDirectory() {
        directory ??= createChannelDirectory({ db, secrets, follower })
        return directory
      },
      async close() {
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
