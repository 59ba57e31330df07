/// A made-up run of a scenario with a list: two drivers, three numbers.
enum SweepCSV {
    static let text = """
        scenario,driver,phase,kind,repetition,status,verified,duration_ns,rss_peak_bytes
        s,mine,update@chunk_records=1000,update,1,ok,true,10000000,20000000
        s,mine,update@chunk_records=10,update,1,ok,true,90000000,15000000
        s,mine,update@chunk_records=100,update,1,ok,true,30000000,16000000
        s,other,update@chunk_records=1000,update,1,ok,true,15000000,10000000
        s,other,update@chunk_records=10,update,1,ok,true,70000000,9000000
        s,other,update@chunk_records=100,update,1,ok,true,40000000,9500000

        """
}
