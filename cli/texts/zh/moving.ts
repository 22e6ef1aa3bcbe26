import type { Catalogue } from '../../texts.ts'

/** `tollgate import`, `tollgate export`, `tollgate db copy`, `tollgate config export|plan|apply|diff` */
export const moving: Catalogue = {
  'Import from new-api, one-api or LiteLLM; list and undo imports': '从 new-api、one-api 或 LiteLLM 迁入；查看和撤销',
  'Import users, API keys, channels, options, codes, orders, logs and tasks of a new-api gateway':
    '导入 new-api 网关的用户、API 密钥、渠道、选项、兑换码、订单、日志和任务',
  'Import users, API keys, channels, options, codes, orders, logs and tasks of a one-api gateway':
    '导入 one-api 网关的用户、API 密钥、渠道、选项、兑换码、订单、日志和任务',
  'SQLite file, mysql://…, postgres://…, or an SQL dump of one; opened read-only':
    'SQLite 文件、mysql://…、postgres://…，或其 SQL 转储；只读取',
  'logs to import: all, none, or since a time such as 30d or 2026-01-31':
    'all、none，或自某时间起的日志，如 30d 或 2026-01-31',
  'only what is new since the last import of this source': '仅导入自上次导入该来源以来的新内容',
  'print the report, and change nothing': '报告将导入的内容，不作更改',
  'Prints a report, then asks for confirmation. Rows that were imported before are not imported again; balances get the difference. To continue an interrupted import, run the same command.':
    '先显示报告，再询问。已导入的不会再次导入：余额只加差额。中断的导入用同一命令继续。',
  'Import the models of a LiteLLM proxy as channels; with its database, also users, teams and virtual keys':
    '将 LiteLLM 代理的模型列表导入为渠道；若提供数据库，还导入用户、团队和虚拟密钥',
  'config.yaml of LiteLLM; os.environ/ values are read from this environment':
    'LiteLLM 的 config.yaml；os.environ/ 的值取自当前环境变量',
  'LiteLLM database, postgres://…; default: database_url in the config':
    '其数据库，postgres://…；默认：配置中的 database_url',
  'balance of users without a budget; default: 10000 dollars': '没有预算者的余额；默认：10000 美元',
  'Keys keep working: LiteLLM stores their SHA-256 hashes, which identify them. Budgets become balances and budgets of tokens, in dollars. Limits of requests, tokens and parallel requests become limits. A team becomes a user who owns its keys. Spending logs are not imported.':
    '密钥继续有效：LiteLLM 存储其 SHA-256，以此识别。预算成为余额和密钥额度（美元）。请求数、token 与并发的限制成为限制。团队成为拥有其密钥的用户。不导入消费日志。',
  'List imports and their sources': '列出导入记录：从哪里导入了什么',
  'Undo an import: delete its rows and restore changes; fails if something depends on it':
    '撤销导入：删除导入的内容，恢复更改；若已有其他内容依赖则拒绝',
  'import ID': '导入编号',
  'Export everything as JSON Lines, or as a new-api database': '迁出：全部导出为 JSON Lines，或 new-api 的数据库',
  'new or empty folder; with --to, a new file': '新的或空的文件夹；使用 --to 时为尚不存在的文件',
  'write a database of this program instead': '改为写出该程序的数据库',
  'omit keys and other secrets': '不导出密钥等机密',
  'Writes one JSON Lines file per table, and manifest.json with row counts, sums and SHA-256 checksums. Keys are in clear text: only you can read the files; protect them like the database and its master key.':
    '文件夹中每个表一个 JSON Lines 文件，另有包含行数、合计和 SHA-256 校验和的 manifest.json。密钥为明文：只有您能读取这些文件，其机密程度等同于数据库及其主密钥。',
  'Copy a database while the gateway runs, also between SQLite and PostgreSQL':
    '在网关运行时将数据库复制到另一个数据库，可在 SQLite 与 PostgreSQL 之间',
  'same formats; a new or empty database': '同上；新的或空的数据库',
  'copy a snapshot; the gateway keeps its database, as for a test':
    '复制某一时刻，网关继续使用旧数据库（例如用于测试）',
  'Copies rows while the gateway runs, then the changes made meanwhile. When little is left, asks you to stop the gateway, copies the rest, and compares counts, sums and digests of all tables. Then start the gateway on the new database.':
    '网关服务期间复制各行，然后复制其间写入的内容。所剩不多时，命令会请您停止网关，复制余下部分，并比较每个表的行数、合计和摘要。之后请在新数据库上启动网关。',
  'Export the configuration as YAML: options, groups, prices, channels, teams, limits, management keys; secrets as references':
    '将网关导出为 YAML：选项、分组、价格、渠道、团队、限制和管理密钥；密钥以引用代替',
  'new file; - or omitted: stdout': '尚不存在的文件；- 或不写：标准输出',
  'Show what apply would change; exit code 2 if there are changes, 1 if it fails':
    '报告 apply 将作的更改；有更改时退出码为 2，失败时为 1',
  'YAML file, or a folder of YAML files': 'YAML 文件，或包含 YAML 文件的文件夹',
  'delete entries that the file does not list, in the sections that it has': '在文件包含的部分中，删除文件未列出的条目',
  'save the plan, without secrets, to this new file for apply --plan':
    '将计划保存到此新文件，供 apply --plan 使用；不含机密',
  'Apply a configuration file: exactly the planned changes, all or none':
    '使网关与文件一致：恰好执行计划中的更改，全部或全不',
  'apply this plan; fails if anything has changed since': '执行此计划的更改；若其间有变化则不执行',
  'Show drift between the gateway and a file, including unlisted items; exit code 2 if any, 1 if it fails':
    '显示偏差：网关与文件不一致之处，包括文件未列出的内容；有偏差时退出码为 2，失败时为 1',
  'Apply these changes?': '执行这些更改？',
  'Applied 1 change.': '完成：1 项更改。',
  'Applied {0} changes.': '完成：{0} 项更改。',
  '{0} is not a plan: {1}': '{0} 不是计划：{1}',
  '{0} is not a plan: create one with tollgate config plan --out': '{0} 不是计划：请用 tollgate config plan --out 生成',
  'The gateway matches the file.': '网关与文件一致。',
  '{0} is not a configuration: {1}': '{0} 不是配置：{1}',
  'cannot read {0}: {1}': '无法读取 {0}：{1}',
  '{0} is not valid YAML: {1}': '{0} 不是 YAML：{1}',
  '{0} must contain one YAML document, not several': '{0} 不是 YAML：其中有多个文档',
  '{0} is the group of {1} users, {2} teams and {3} tokens: without it, their requests are rejected':
    '{0} 是 {1} 个用户、{2} 个团队和 {3} 个令牌的分组：删除后它们的请求将被拒绝',
  '{0} is not a configuration: start it with version: 1': '{0} 不是配置：请以 version: 1 开头',
  '{0}.{1} is in two files; the second is {2}': '{0}.{1} 在两个文件中，第二个是 {2}',
  'Wrote the configuration to {0}.': '已将配置写入 {0}。',
  'Set before planning: {0}': '生成计划前请设置：{0}',
  'No changes.': '没有更改。',
  'Plan: {0} to add, {1} to change, {2} to delete.': '计划：新增 {0}，更改 {1}，删除 {2}。',
  '{0} is in clear text: use env:NAME, file:PATH or command:LINE instead':
    '{0} 为明文：请改写为 env:NAME、file:PATH 或 command:LINE',
  'it is empty': '内容为空',
  '{0} is empty: leave it out to keep the present one': '{0} 为空：如需保留当前值，请省略它',
  'the command failed': '命令失败',
  '{0}: cannot read {1}:{2}: {3}': '{0}：无法读取 {1}:{2}：{3}',
  'the variable is not set': '变量未设置',
  rows: '行数',
  sums: '合计',
  digest: '摘要',
  'both are the same database: pass two databases': '这是同一个数据库：请给出两个',
  '{0} has an older version: run tollgate db migrate first': '{0} 属于旧版本：请先运行 tollgate db migrate',
  'Copied {0} tables, all equal. Writes were blocked for {1} ms.': '已复制：{0} 个表一致。停写 {1} 毫秒。',
  'Start the gateway with DATABASE_URL={0}': '请以 DATABASE_URL={0} 启动网关',
  'interrupted: the new database is not complete. The same command begins again':
    '已中断：新数据库不完整。重新运行同一命令即可重新开始',
  '{0} already exists: it must contain the same key': '{0} 已存在：必须是同一密钥',
  'Copied the master key to {0}': '已将主密钥复制到 {0}',
  'Copying rows …': '正在复制各行…',
  'Comparing …': '正在比较…',
  'Nearly everything is copied. Stop the gateway now: the rest takes a moment.':
    '几乎已全部复制。请现在停止网关：余下部分只需片刻。',
  '--no-secrets needs a folder: {0} requires the keys': '--no-secrets 只用于文件夹：{0} 需要密钥',
  'Wrote {0} tables to {1}.': '已将 {0} 个表写入 {1}。',
  'It contains keys in clear text: protect it like the database.': '其中密钥为明文：请像保管数据库一样保管。',
  'Wrote a database of new-api to {0}. Start new-api with SQLITE_PATH={1}':
    '已将 new-api 的数据库写入 {0}。请以 SQLITE_PATH={1} 启动 new-api',
  '1 user must set a new password: new-api cannot check argon2id hashes':
    '1 个用户必须设置新密码：new-api 无法验证 argon2id 哈希',
  '{0} users must set a new password: new-api cannot check argon2id hashes':
    '{0} 个用户需要设置新密码：new-api 无法校验 argon2id 哈希',
  'Skipped: {0} rows of {1}, {2}': '未导出：{1} 的 {0} 行，{2}',
  'Expected all, none, or a time: {0}': '请给出 all、none 或时间：{0}',
  unfinished: '未完成',
  undone: '已撤销',
  done: '完成',
  equal: '一致',
  product: '产品',
  source: '来源',
  logs: '日志',
  'No imports. Start one: tollgate import new-api --help': '没有导入记录。请从此开始：tollgate import new-api --help',
  imported: '已导入',
  known: '已有',
  updated: '已更新',
  skipped: '已跳过',
  'Skipped rows ({0}):': '跳过的行（{0}）：',
  'Changed values ({0}):': '更改的值（{0}）：',
  'Changed IDs ({0}):': '更改的编号（{0}）：',
  'Options not imported ({0}):': '未导入的选项（{0}）：',
  'Models with changed prices ({0}):': '价格变化的模型（{0}）：',
  'Unsupported columns ({0}):': '此处没有对应的列（{0}）：',
  'Tables not imported: {0}': '未导入的表：{0}',
  '  and {0} more: use --json to see all': '  另有 {0} 项：用 --json 查看全部',
  'Import all of this?': '导入以上全部内容？',
  'Completed import {0}. Verify the sums: tollgate ledger verify':
    '已导入，编号 {0}。用 tollgate ledger verify 核对合计',
  'Undo it: tollgate import undo {0}': '撤销：tollgate import undo {0}',
  'It imported the root user. To undo it, delete the database (for SQLite, its file).':
    'root 用户由此次导入带来。要撤销，请删除数据库（SQLite 为其文件）。',
  'Values that were changed here since are kept ({0}):': '此后在这里更改过的值予以保留（{0}）：',
  'Options set since then keep their values: {0}': '此后设置过的选项保持其值：{0}',
  'The source has no root user. Create one: tollgate init': '来源没有 root 用户。创建：tollgate init',
  'The source has no root user: created {0} with the password in ROOT_PASSWORD':
    '来源没有 root 用户：已创建 {0}，密码为 ROOT_PASSWORD',
  'The source has no root user: created {0} with the password {1} (shown only once)':
    '来源没有 root 用户：已创建 {0}，密码为 {1}（只显示这一次）',
  'interrupted: run the same command to continue': '已中断：用同一命令继续',
  'Delete everything that import {0} added?': '删除导入 {0} 带来的全部内容？',
  'Undid import {0}: deleted {1} rows.': '导入 {0} 已撤销：删除了 {1} 行。',
}
