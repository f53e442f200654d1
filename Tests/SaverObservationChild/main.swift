import CSystemFaults
import Glibc
import SaverCore
import SaverTestKit

#if SQLite
import SaverSQLite
#endif
#if LMDB
import SaverLMDB
#endif

var subjects: [ConformanceSubject] = []
#if SQLite
subjects.append(
  ConformanceSubject(
    SQLiteBackend.self,
    capabilities: StoreCapabilities(isShared: true, isPersistent: true, acceptsForeignWriters: true)))
#endif
#if LMDB
subjects.append(
  ConformanceSubject(
    LMDBBackend.self,
    capabilities: StoreCapabilities(isShared: true, isPersistent: true, acceptsForeignWriters: false)))
#endif

let program = ChildProgram(
  subjects: subjects,
  arm: { name, number in
    let faults = [
      "none": SYSTEM_FAULT_NONE, "kill-before": SYSTEM_FAULT_KILL_BEFORE, "kill-after": SYSTEM_FAULT_KILL_AFTER,
      "no-space": SYSTEM_FAULT_NO_SPACE, "broken": SYSTEM_FAULT_BROKEN,
    ]
    system_faults_arm(faults[name] ?? SYSTEM_FAULT_NONE, Int32(number))
  },
  callCount: { Int(system_faults_calls()) })
exit(program.run(Array(CommandLine.arguments.dropFirst())))
