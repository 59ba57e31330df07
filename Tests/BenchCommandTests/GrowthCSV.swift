/// A made-up run at three sizes: one phase in proportion to the records, one that grows like their power of 1.5.
enum GrowthCSV {
    static let text = """
        scenario,driver,phase,kind,repetition,status,verified,records,duration_ns,rss_peak_delta_bytes
        s,mine,seed@100000,seed,1,ok,true,100000,10000000,20000000
        s,mine,seed@10000,seed,1,ok,true,10000,1000000,2000000
        s,mine,seed@1000000,seed,1,ok,true,1000000,100000000,200000000
        s,mine,fetch@10000,fetch,1,ok,true,10000,1000000,2000000
        s,mine,fetch@100000,fetch,1,ok,true,100000,31622777,20000000
        s,mine,fetch@1000000,fetch,1,ok,true,1000000,1000000000,200000000

        """
}
