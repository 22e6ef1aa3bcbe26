import type { Catalogue } from '../../texts.ts'

export const db: Catalogue = {
  'The database: state, migrations, backups, integrity': '数据库：状态、迁移、备份、完整性',
  'Show where the database is, how large, and which migrations it has; changes nothing':
    '显示数据库的位置、大小与已有的迁移；不做任何更改',
  'Apply the migrations that are pending, all or none; the next start of the gateway would do the same':
    '执行待执行的迁移，要么全部要么不做；网关下次启动时也会这样做',
  'Copy all of the database, as it is at one moment, to a new file; the gateway may go on running':
    '将整个数据库在某一时刻的状态复制到新文件；网关可以继续运行',
  'file that does not exist yet; only you will be able to read it': '尚不存在的文件；仅您可读',
  'copy the master key too, to <file>.secret': '同时复制主密钥到 <file>.secret',
  'Check the database: integrity, key, migrations, references, sequences and the books; exit code 1 if a check fails':
    '检查数据库：完整性、密钥、迁移、引用、序列与账目；有检查未通过时退出码为 1',
  'Set sequences of PostgreSQL that are behind their tables, as after a failover; deletes nothing':
    '将落后于表的 PostgreSQL 序列调到正确的值（例如故障切换之后）；不删除任何内容',
  'Set {0} sequences after the largest ids of their tables?': '将 {0} 个序列调到各自表的最大 id 之后？',
  'Nothing to repair.': '无需修复。',
  'this works on the database itself, not through {0}: run it on that machine, or give --profile local':
    '此命令直接操作数据库，不能通过 {0}：请在那台机器上运行，或使用 --profile local',
  'Wrote {0} to {1}, {2} bytes.': '已将 {0} 写入 {1}，{2} 字节。',
  'interrupted: no backup was made': '已中止：未生成备份',
  'no backup was made: {0}': '未生成备份：{0}',
  'The master key is in {0}.secret: keep it apart from the backup.': '主密钥在 {0}.secret 中：请与备份分开保存。',
  'Keep the master key too, without which the backup cannot be read: see --with-key.':
    '请同时保存主密钥，没有它就无法读取备份：参见 --with-key。',
  'there is no master key to copy: neither TOLLGATE_SECRET nor {0}':
    '没有可复制的主密钥：既无 TOLLGATE_SECRET 也无 {0}',
  'there is no database at {0}. Make one with: tollgate init': '{0} 处没有数据库。创建：tollgate init',
  'pg_dump is not on this machine: run it elsewhere, as {0}': '本机没有 pg_dump：请在别处运行 {0}',
  'pg_dump failed: {0}': 'pg_dump 失败：{0}',
  'Nothing to do: all migrations are applied.': '无需操作：所有迁移均已执行。',
  'Applied {0}.': '已执行 {0}。',
  'it is the one of this database': '与此数据库相符',
  '{0} pending: tollgate db migrate': '{0} 待执行：tollgate db migrate',
  'all are applied': '均已执行',
  'no damage': '没有损坏',
  'no reference to what is not there': '没有悬空引用',
  '{0}: the next id is in use already: tollgate db repair': '{0}：下一个 id 已被占用：tollgate db repair',
  'all are ahead of their tables': '均在各自的表之前',
  'the books differ in {0} rows: tollgate ledger verify': '账目有 {0} 行不符：tollgate ledger verify',
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
