package platform

import (
	"errors"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Child returns the attributes of a child process that a Ctrl-C on the console does not reach. [Bind] makes it end with
// this process.
func Child() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// Bind makes the system kill a child when this process ends in any way: it closes the handle of a job then, which ends
// what is in the job. release is called when the child has ended.
//
// https://learn.microsoft.com/windows/win32/procthread/job-objects
func Bind(child *os.Process) (release func(), err error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	release = func() { _ = windows.CloseHandle(job) }
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		failed := child.WithHandle(func(handle uintptr) {
			err = windows.AssignProcessToJobObject(job, windows.Handle(handle))
		})
		err = errors.Join(err, failed)
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}
