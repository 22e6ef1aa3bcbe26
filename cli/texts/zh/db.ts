import type { Catalogue } from '../../texts.ts'

export const dbTexts: Catalogue = {
  'Database state, migrations, backups and integrity': '数据库：状态、迁移、备份、完整性',
  'Show the location, size and migrations of the database; changes nothing':
    '显示数据库的位置、大小与已有的迁移；不做任何更改',
  'Apply pending migrations, all or none; the next gateway start would, too':
    '执行待执行的迁移，要么全部要么不做；网关下次启动时也会这样做',
  'Back up the database to a new file; the gateway can keep running':
    '将整个数据库在某一时刻的状态复制到新文件；网关可以继续运行',
  'Checking the database': '正在检查数据库',
  'Copying the database': '正在复制数据库',
  'Verifying the ledger': '正在核对账目',
  'replace an existing file once the export is complete': '文件已存在时，在导出完成后替换它',
  '{0} is unchanged.': '{0} 保持原样。',
  'file to create, readable only by you': '要写入的文件；仅您可读',
  'replace an existing file once the copy is complete': '文件已存在时，在复制完成后替换它',
  'also copy the master key to <file>.secret': '同时复制主密钥到 <file>.secret',
  'Restore a backup, and move the current database aside; stop the gateway first':
    '用备份替换数据库，原数据库移到一旁；网关不得正在运行',
  'file from tollgate db backup': 'tollgate db backup 写出的文件',
  'master key file of the backup (default: <file>.secret, else the current key)':
    '备份的主密钥文件（默认：<file>.secret，否则为当前密钥）',
  'First checks the integrity and version of the file, and whether the master key fits. On PostgreSQL, pg_restore reads it.':
    '先检查文件：完整性、版本以及主密钥是否相符。在 PostgreSQL 上由 pg_restore 读取。',
  'Replace {0} with {1}?': '用 {1} 替换 {0}？',
  'Restored {0} to {1}.': '已将 {0} 恢复到 {1}。',
  'The previous contents are in {0}.': '原有内容在 {0} 中。',
  'The backup is older than this version: the next start migrates it.': '备份旧于此版本：下次启动时迁移。',
  'file not found: {0}': '没有文件 {0}',
  '{0} is not a file': '{0} 不是文件',
  '{0} is damaged: {1}': '{0} 已损坏：{1}',
  '{0} is damaged, or not an SQLite database': '{0} 已损坏，或不是 SQLite 数据库',
  '{0} is not a Tollgate backup: it has no tables': '{0} 不是 Tollgate 的备份：其中没有表',
  'pass either --key or TOLLGATE_SECRET, not both': '--key 与 TOLLGATE_SECRET 只能给出一个',
  'missing master key of {0}: pass its file with --key, or set TOLLGATE_SECRET':
    '缺少 {0} 的主密钥：请用 --key 给出其文件，或设置 TOLLGATE_SECRET',
  'the master key in {0} does not fit {1}: pass the right one with --key or TOLLGATE_SECRET':
    '{0} 中的主密钥与 {1} 不符：请用 --key 或 TOLLGATE_SECRET 给出正确的密钥',
  '{0} is the database itself: pass a backup of it': '{0} 就是数据库本身：请给出它的备份',
  'cannot copy {0}: {1}': '无法复制 {0}：{1}',
  'cannot restore {0}: {1}': '无法恢复 {0}：{1}',
  'interrupted: the database is unchanged': '已中止：数据库保持原样',
  '{0} is not installed on this machine': '本机没有 {0}',
  '{0} failed: {1}': '{0} 失败：{1}',
  '{0} already exists: pass another name, or replace it with --force': '{0} 已存在：请换一个名称，或用 --force 替换',
  'cannot write {0}: {1}': '无法写入 {0}：{1}',
  'the disk of the database is full: free some space, then run the command again':
    '数据库所在磁盘已满：请释放一些空间，再运行该命令',
  'the database is locked by another process: try again, or stop that process':
    '数据库被其他进程锁定：请重试，或停止该进程',
  'Check integrity, key, migrations, references, sequences and ledger; exit code 1 if a check fails':
    '检查数据库：完整性、密钥、迁移、引用、序列与账目；有检查未通过时退出码为 1',
  'Fix PostgreSQL sequences behind their tables, as after a failover, and remove the triggers of a killed copy':
    '将落后于表的 PostgreSQL 序列调到正确的值（例如故障切换之后），并移除被强行终止的复制留下的触发器',
  'a copy is running or was killed: row changes are recorded ({0} so far). If none is running: tollgate db repair':
    '有复制正在运行，或曾被强行终止：每次行更改都会被记录（目前 {0} 条）。若没有在运行：tollgate db repair',
  'a database copy is running or was killed: row changes are recorded ({0} so far)':
    '有数据库复制正在运行，或曾被强行终止：每次行更改都会被记录（目前 {0} 条）',
  'If none is running: tollgate db repair': '若没有在运行：tollgate db repair',
  'Remove the triggers of a copy and {0} recorded changes? This breaks a running copy.':
    '移除复制的触发器及其 {0} 条记录？仍在运行的复制将失败',
  'Removed the triggers of a copy.': '已移除复制的触发器。',
  'Set {0} sequences after the largest IDs of their tables?': '将 {0} 个序列调到各自表的最大 id 之后？',
  'Nothing to repair.': '无需修复。',
  'this command needs the database itself, not {0}: run it on that machine, or pass --profile local':
    '此命令直接操作数据库，不能通过 {0}：请在那台机器上运行，或使用 --profile local',
  'Wrote {0} to {1}, {2} bytes.': '已将 {0} 写入 {1}，{2} 字节。',
  'interrupted: no backup was made': '已中止：未生成备份',
  'backup failed: {0}': '未生成备份：{0}',
  'The master key is in {0}.secret: store it apart from the backup.': '主密钥在 {0}.secret 中：请与备份分开保存。',
  'Also store the master key: without it, the backup cannot be read. See --with-key.':
    '请同时保存主密钥，没有它就无法读取备份：参见 --with-key。',
  'no master key to copy: neither TOLLGATE_SECRET nor {0} exists': '没有可复制的主密钥：既无 TOLLGATE_SECRET 也无 {0}',
  'the database at {0} has no root user: create one with tollgate init':
    '{0} 处的数据库没有 root 用户。创建：tollgate init',
  'there is no database at {0}. Create one with: tollgate init': '{0} 处没有数据库。创建：tollgate init',
  'pg_dump is not installed on this machine: run it elsewhere, as {0}': '本机没有 pg_dump：请在别处运行 {0}',
  'Nothing to do: all migrations are already applied.': '无需操作：所有迁移均已执行。',
  'Applied {0}.': '已执行 {0}。',
  'matches this database': '与此数据库相符',
  '{0} pending: tollgate db migrate': '{0} 待执行：tollgate db migrate',
  'all applied': '均已执行',
  'no damage': '没有损坏',
  'no dangling references': '没有悬空引用',
  '{0}: the next ID is already used: tollgate db repair': '{0}：下一个 id 已被占用：tollgate db repair',
  'all ahead of their tables': '均在各自的表之前',
  'the ledger differs in {0} rows: tollgate ledger verify': '账目有 {0} 行不符：tollgate ledger verify',
  check: '检查项',
  result: '结果',
  found: '发现',
  table: '表',
  sequence: '序列',
  'next id': '下一个 id',
  'largest id': '最大 id',
  kind: '种类',
  size: '大小',
  'not in the main file yet': '尚未并入主文件',
  'migrations applied': '已执行的迁移',
  'migrations pending': '待执行的迁移',
  'rows, of logs about': '行数（日志为约数）',
}
